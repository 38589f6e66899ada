import type { Environment } from '@qwen/host/config/env.js';
import type { ProviderProfile } from '@qwen/host/config/provider-profiles.js';
import type { EffectiveSettings } from '@qwen/host/config/settings.js';
import { checkProvider } from '@qwen/host/credentials/check-provider.js';
import { KNOWN_PROVIDERS, profileOf } from '@qwen/host/credentials/known-providers.js';
import { findLocalServers, type LocalServer } from '@qwen/host/credentials/local-servers.js';
import { describeProvider, makeDefault, signIn } from '@qwen/host/credentials/sign-in.js';
import { AgentError } from '@qwen/protocol';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Lines } from '../../lines/lines-view.js';
import { toShown } from '../../lines/shown-text.js';
import type { StyledLine } from '../../lines/styled-line.js';
import { wrapLine } from '../../lines/wrap-line.js';
import type { Choice } from '../choice/choice-list.js';
import { DialogFrame, FRAME_COLUMNS } from '../dialog-frame.js';
import { TextEntry } from '../questions/text-entry.js';
import { ListPage } from './list-page.js';
import { useLoaded } from './use-loaded.js';

export interface ChosenProvider {
  /** With its stored key. */
  readonly profile: ProviderProfile;
  readonly model: string;
}

export interface ProviderSetupProps {
  readonly title: string;
  readonly configDir: string;
  readonly environment: Environment;
  readonly settings: EffectiveSettings;
  /** Whether the choice becomes the default without a question. */
  readonly isFirst: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly onDone: (chosen: ChosenProvider) => void;
  /** Esc in the first list. */
  readonly onCancel: () => void;
  readonly escape: string;
}

type Step =
  | { readonly name: 'choose' | 'address' }
  | { readonly name: 'work'; readonly text: string }
  | { readonly name: 'key'; readonly profile: ProviderProfile; readonly title: string; readonly isOptional: boolean }
  | { readonly name: 'model'; readonly profile: ProviderProfile; readonly models: readonly string[] }
  | { readonly name: 'remember'; readonly chosen: ChosenProvider };

type Source =
  | { readonly kind: 'local'; readonly server: LocalServer }
  | { readonly kind: 'known'; readonly profile: ProviderProfile; readonly title: string }
  | { readonly kind: 'address' };

/** Gets a person from nothing to a provider and a model: a local server, a pasted key or another endpoint. */
export function ProviderSetup(props: ProviderSetupProps): ReactNode {
  const { title, configDir, environment, settings, isFirst, columns, rows, escape } = props;
  const [step, setStep] = useState<Step>({ name: 'choose' });
  const [problem, setProblem] = useState<string>();
  const [servers] = useLoaded(findLocalServers);
  const running = useRef(new AbortController());
  useEffect(() => () => running.current.abort(), []);

  const go = (next: Step): void => {
    running.current.abort();
    running.current = new AbortController();
    setProblem(undefined);
    setStep(next);
  };
  /** Returns to `from` with the reason of a failure. */
  const attempt = (text: string, from: Step, work: (signal: AbortSignal) => Promise<void>): void => {
    go({ name: 'work', text });
    const { signal } = running.current;
    work(signal).catch((thrown: unknown) => {
      if (signal.aborted) return;
      setStep(from);
      setProblem(AgentError.from(thrown).message);
    });
  };
  const finish = (chosen: ChosenProvider, remembers: boolean): void => {
    const { profile, model } = chosen;
    attempt('Saving…', { name: 'choose' }, async () => {
      const isKnown = KNOWN_PROVIDERS.some(({ name }) => name === profile.name);
      const isListed = settings.profiles.some(
        ({ name, baseUrl }) => name === profile.name && baseUrl === profile.baseUrl,
      );
      const { name, type, baseUrl } = profile;
      const endpoint = isKnown || isListed || baseUrl === undefined ? undefined : { type, baseUrl };
      await describeProvider(configDir, { name, model, endpoint });
      if (remembers) await makeDefault(configDir, { name, model });
      props.onDone(chosen);
    });
  };
  const chooseModel = (profile: ProviderProfile, model: string): void => {
    const chosen = { profile, model };
    if (isFirst) finish(chosen, true);
    else go({ name: 'remember', chosen });
  };
  /** Skips the list if the provider has the usual model. */
  const withModels = (profile: ProviderProfile, models: readonly string[]): void => {
    const [only] = models;
    const usual = profile.models.find(({ id }) => models.includes(id))?.id ?? profile.defaultModel;
    if (usual !== undefined && (models.length === 0 || models.includes(usual))) chooseModel(profile, usual);
    else if (models.length === 1 && only !== undefined) chooseModel(profile, only);
    else go({ name: 'model', profile, models });
  };
  const enterKey = (from: Extract<Step, { name: 'key' }>, text: string): void => {
    const { profile, isOptional } = from;
    attempt('Checking the key…', from, async (signal) => {
      const check = { environment, settings, signal };
      if (isOptional && text.trim() === '') {
        const models = await checkProvider(profile, check);
        withModels(
          profile,
          models.map(({ id }) => id),
        );
        return;
      }
      const { models, stored } = await signIn({ configDir, profile, text, ...check });
      if (signal.aborted) return;
      withModels(
        { ...profile, stored },
        models.map(({ id }) => id),
      );
    });
  };
  const choose = (source: Source): void => {
    if (source.kind === 'address') return go({ name: 'address' });
    if (source.kind === 'known') return go({ name: 'key', isOptional: false, ...source });
    withModels(
      source.server.profile,
      source.server.models.map(({ id }) => id),
    );
  };
  const enterAddress = (text: string): void => {
    const baseUrl = text.trim();
    if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
      setProblem('This is not a valid URL. Write it as https://host/v1.');
      return;
    }
    const name = new URL(baseUrl).host.replaceAll(/[^\w.-]+/g, '-');
    const isTaken = KNOWN_PROVIDERS.some((known) => known.name === name);
    const profile: ProviderProfile = {
      name: isTaken ? `${name}-custom` : name,
      type: 'openai',
      source: `providers.${name}`,
      baseUrl,
      models: [],
      options: {},
    };
    go({ name: 'key', profile, title: baseUrl, isOptional: true });
  };

  const inner = columns - FRAME_COLUMNS;
  const problems: StyledLine[] = problem === undefined ? [] : [[{ text: toShown(problem), token: 'AccentRed' }]];
  const back = (): void => go({ name: 'choose' });
  const list = { columns, rows, onCancel: back, escape: 'back' };
  const entry = (notes: readonly StyledLine[], keys: string, field: ReactNode): ReactNode => (
    <DialogFrame title={title} keys={keys} columns={columns}>
      <Lines lines={[...notes, ...problems].flatMap((line) => wrapLine(line, inner))} />
      {field}
    </DialogFrame>
  );
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
      return entry(
        [[{ text: 'An endpoint that is compatible with OpenAI, such as http://192.168.1.7:8000/v1.', token: 'Gray' }]],
        'Enter: continue · Esc: back',
        <TextEntry key="address" prompt="Base URL" columns={inner} onSubmit={enterAddress} onCancel={back} />,
      );
    case 'key':
      return entry(
        keyNotes(step),
        `Enter: check and store${step.isOptional ? ' (empty: no key)' : ''} · Esc: back`,
        <TextEntry
          key="key"
          isSecret
          prompt={`Key for ${toShown(step.title)}`}
          columns={inner}
          onSubmit={(text) => {
            if (text.trim() !== '' || step.isOptional) enterKey(step, text);
          }}
          onCancel={back}
        />,
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
      const notes: StyledLine[] =
        servers.state === 'loading' ? [[{ text: 'Looking for model servers on this machine…', token: 'Gray' }]] : [];
      const sources = servers.state === 'loading' ? [] : sourcesOf(servers.state === 'ready' ? servers.value : []);
      return (
        <ListPage
          {...list}
          key={servers.state}
          title={title}
          notes={[...notes, ...problems]}
          choices={sources}
          onChoose={choose}
          onCancel={props.onCancel}
          escape={escape}
        />
      );
    }
  }
}

function sourcesOf(servers: readonly LocalServer[]): readonly Choice<Source>[] {
  const heading = (label: string): Choice<Source> => ({ value: { kind: 'address' }, label, isHeading: true });
  return [
    ...(servers.length === 0 ? [] : [heading('On this machine, without a key')]),
    ...servers.map((server): Choice<Source> => {
      const { length } = server.models;
      const detail = `${server.profile.baseUrl}, ${length} ${length === 1 ? 'model' : 'models'}`;
      return { value: { kind: 'local', server }, label: server.title, detail };
    }),
    heading('With a key'),
    ...KNOWN_PROVIDERS.map((known): Choice<Source> => {
      return { value: { kind: 'known', profile: profileOf(known), title: known.title }, label: known.title };
    }),
    { value: { kind: 'address' }, label: 'Another endpoint', detail: 'any server that is compatible with OpenAI' },
  ];
}

function keyNotes({ profile }: Extract<Step, { name: 'key' }>): readonly StyledLine[] {
  const page = KNOWN_PROVIDERS.find(({ name }) => name === profile.name)?.keyPage;
  const gray = (text: string): StyledLine => [{ text, token: 'Gray' }];
  return [
    ...(page === undefined ? [] : [gray(`Create a key at ${page}`)]),
    gray('Paste it here. It is not shown, and only sent to this provider.'),
  ];
}
