import { saveUserSetting } from '@qwen/host/config/save-user-setting.js';
import { EFFORTS, type Effort } from '@qwen/protocol';
import type { ReactNode } from 'react';
import { toShown } from '../../lines/shown-text.js';
import type { Choice } from '../choice/choice-list.js';
import { ListPage } from './list-page.js';
import type { PageProps } from './page.js';
import { reportFailure } from './report-failure.js';
import { useLoaded } from './use-loaded.js';

type Pick = { readonly model: string | null } | { readonly remembered: string } | { readonly effort: Effort | null };

export function ModelPage({ session, columns, rows, onClose }: PageProps): ReactNode {
  const current = session.store.getState().model;
  const [loaded] = useLoaded(async () => (await session.commands()).host.session.models());
  const names = loaded.state === 'ready' ? loaded.value.names : [current];
  const reason = loaded.state === 'ready' ? loaded.value.reason : undefined;
  const choose = (pick: Pick): void => {
    onClose();
    if ('remembered' in pick) return reportFailure(session, remember(session, pick.remembered));
    reportFailure(session, 'model' in pick ? session.setModel(pick.model) : session.setEffort(pick.effort));
  };
  return (
    <ListPage
      title="Model"
      notes={[
        ...(loaded.state === 'loading' ? [[{ text: 'Loading models…', token: 'Gray' } as const]] : []),
        ...(loaded.state === 'failed' ? [[{ text: toShown(loaded.message), token: 'AccentRed' } as const]] : []),
        ...(reason === undefined ? [] : [[{ text: toShown(reason), token: 'AccentYellow' } as const]]),
      ]}
      choices={choicesOf(names, current)}
      isFiltered
      isChosen={(pick) => 'model' in pick && pick.model === current}
      columns={columns}
      rows={rows}
      onChoose={choose}
      onCancel={onClose}
    />
  );
}

/** A model of another provider is remembered with its provider. */
async function remember(session: PageProps['session'], model: string): Promise<void> {
  const { configDir, routes } = session.configuration;
  const { provider } = routes.of(model);
  const id = provider.ok ? provider.settings.modelId : undefined;
  const name = id === undefined ? undefined : model.slice(0, -id.length - 1);
  if (name !== undefined) await saveUserSetting(['provider'], name, { configDir });
  await saveUserSetting(['model'], id ?? model, { configDir });
  session.print([[{ text: `New sessions use ${toShown(model)}.`, token: 'AccentGreen' }]]);
}

function choicesOf(names: readonly string[], current: string): readonly Choice<Pick>[] {
  const all = names.includes(current) ? names : [current, ...names];
  const heading = (label: string): Choice<Pick> => ({ value: { model: null }, label, isHeading: true });
  return [
    heading('Models'),
    ...all.map((model) => ({ value: { model }, label: model, ...(model === current && { detail: 'in use' }) })),
    { value: { model: null }, label: 'Model used at startup' },
    {
      value: { remembered: current },
      label: 'Use the current model in new sessions',
      detail: 'saves it in your settings',
    },
    heading('Reasoning effort'),
    ...EFFORTS.map((effort) => ({ value: { effort }, label: effort })),
    { value: { effort: null }, label: 'Default of the model' },
  ];
}
