import { KNOWN_PROVIDERS, profileOf } from '@qwen/host/credentials/known-providers.js';
import { findLocalServers, type LocalServer } from '@qwen/host/credentials/local-servers.js';
import { type ReactNode, useState } from 'react';
import { toShown } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import type { Choice } from '../choice/choice-list.js';
import { EntryPage } from './entry-page.js';
import { ListPage } from './list-page.js';
import { useLoaded } from './use-loaded.js';
import {
  type ProviderSetupOptions,
  type ProviderSource,
  type SetupStep,
  useProviderSetup,
} from './use-provider-setup.js';

export interface ProviderSetupProps extends ProviderSetupOptions {
  readonly title: string;
  readonly columns: number;
  readonly rows: number;
  /** Esc in the first list. */
  readonly onCancel: () => void;
  readonly escape: string;
}

/** Gets a person from nothing to a provider and a model: a local server, a pasted key or another endpoint. */
export function ProviderSetup({ title, columns, rows, onCancel, escape, ...options }: ProviderSetupProps): ReactNode {
  const { step, problem, choose, enterAddress, enterKey, chooseModel, finish, back } = useProviderSetup(options);
  const [servers, lookAgain] = useLoaded(findLocalServers);
  const [outdated, setOutdated] = useState<typeof servers>();
  const problems: StyledLine[] = problem === undefined ? [] : [[{ text: toShown(problem), token: 'AccentRed' }]];
  const list = { columns, rows, onCancel: back, escape: 'back' };
  const entry = { title, columns, onCancel: back };
  switch (step.name) {
    case 'work':
      return (
        <ListPage
          {...list}
          title={title}
          notes={[[{ text: step.text }]]}
          choices={[{ value: 0, label: 'Cancel' }]}
          onChoose={back}
        />
      );
    case 'address':
      return (
        <EntryPage
          {...entry}
          key="address"
          notes={[gray('An endpoint that is compatible with OpenAI, such as http://192.168.1.7:8000/v1.'), ...problems]}
          keys="Enter: continue · Esc: back"
          prompt="Base URL"
          onSubmit={enterAddress}
        />
      );
    case 'key':
      return (
        <EntryPage
          {...entry}
          key="key"
          notes={[...keyNotes(step), ...problems]}
          keys={`Enter: check and store${step.isOptional ? ' (empty: no key)' : ''} · Esc: back`}
          prompt={`Key for ${toShown(step.title)}`}
          isSecret
          onSubmit={(text) => {
            if (text.trim() !== '' || step.isOptional) enterKey(step, text);
          }}
        />
      );
    case 'model':
      return (
        <ListPage
          {...list}
          title="Choose a model"
          notes={problems}
          choices={step.models.map((model) => ({ value: model, label: model }))}
          isFiltered
          onChoose={(model) => chooseModel(step.profile, model)}
        />
      );
    case 'remember':
      return (
        <ListPage
          {...list}
          title={`Use ${toShown(step.chosen.model)} of ${toShown(step.chosen.profile.name)}`}
          choices={[
            { value: false, label: 'Only in this session' },
            { value: true, label: 'From now on', detail: 'changes provider and model in your settings' },
          ]}
          onChoose={(remembers) => finish(step.chosen, remembers)}
        />
      );
    case 'choose': {
      const isLoading = servers.state === 'loading' || servers === outdated;
      const notes = isLoading ? [gray('Looking for model servers on this machine…')] : [];
      return (
        <ListPage
          {...list}
          key={`${isLoading}`}
          title={title}
          notes={[...notes, ...problems]}
          choices={isLoading ? [] : sourcesOf(servers.state === 'ready' ? servers.value : [])}
          onChoose={(source) => {
            if (source !== 'again') return choose(source);
            setOutdated(servers);
            lookAgain();
          }}
          onCancel={onCancel}
          escape={escape}
        />
      );
    }
  }
}

function sourcesOf(servers: readonly LocalServer[]): readonly Choice<ProviderSource | 'again'>[] {
  const heading = (label: string): Choice<ProviderSource> => ({ value: { kind: 'address' }, label, isHeading: true });
  return [
    heading('On this machine, without a key'),
    ...servers.map((server): Choice<ProviderSource> => {
      const { length } = server.models;
      const detail = `${server.profile.baseUrl}, ${length} ${length === 1 ? 'model' : 'models'}`;
      return { value: { kind: 'local', server }, label: server.title, detail };
    }),
    {
      value: 'again',
      label: 'Look again',
      detail: servers.length === 0 ? 'no model server answers; start one first' : 'for other model servers',
    },
    heading('With a key'),
    ...KNOWN_PROVIDERS.map((known): Choice<ProviderSource> => {
      return { value: { kind: 'known', profile: profileOf(known), title: known.title }, label: known.title };
    }),
    { value: { kind: 'address' }, label: 'Another endpoint', detail: 'any server that is compatible with OpenAI' },
  ];
}

function keyNotes({ profile }: Extract<SetupStep, { name: 'key' }>): readonly StyledLine[] {
  const page = KNOWN_PROVIDERS.find(({ name }) => name === profile.name)?.keyPage;
  return [
    ...(page === undefined ? [] : [gray(`Create a key at ${page}`)]),
    gray('Paste it here. It is not shown, and only sent to this provider.'),
  ];
}

function gray(text: string): StyledLine {
  return [{ text, token: 'Gray' }];
}
