import type { PermissionMode } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import type { ListedSession, PageStore } from '../session/page-store.js';
import { EFFORT_CHOICES, effortOf, MODE_CHOICES, modeOf } from './setting-choices.js';

export interface SessionSettingsProps {
  readonly page: PageStore;
  readonly session: ListedSession;
}

/** Approval mode, model and effort of the next turns. */
export function SessionSettings({ page, session }: SessionSettingsProps) {
  const { id: sessionId, approvalMode, model = '', effort = '' } = session;
  const [models, setModels] = useState<readonly string[]>([]);
  const change = (settings: {
    approvalMode?: PermissionMode;
    model?: string | null;
    effort?: ReturnType<typeof effortOf>;
  }) => void page.configure({ sessionId, ...settings });
  return (
    <>
      <select
        aria-label="Approval mode"
        class={approvalMode === 'yolo' ? 'quiet-select warning' : 'quiet-select'}
        value={approvalMode}
        onChange={({ currentTarget }) => {
          const mode = modeOf(currentTarget.value);
          if (mode !== undefined) change({ approvalMode: mode });
        }}
      >
        {MODE_CHOICES.map(([value, label]) => (
          <option value={value}>{label}</option>
        ))}
      </select>
      <input
        class="quiet-input"
        aria-label="Model"
        placeholder="Default model"
        spellcheck={false}
        autocapitalize="off"
        key={model}
        defaultValue={model}
        list="models"
        onFocus={() => void page.models().then(setModels, () => undefined)}
        onChange={({ currentTarget }) => {
          const name = currentTarget.value.trim();
          if (name !== model) change({ model: name === '' ? null : name });
        }}
      />
      <datalist id="models">
        {models.map((name) => (
          <option value={name} />
        ))}
      </datalist>
      <select
        aria-label="Effort"
        class="quiet-select"
        value={effort}
        onChange={({ currentTarget }) => change({ effort: effortOf(currentTarget.value) })}
      >
        <option value="">Default effort</option>
        {EFFORT_CHOICES.map((value) => (
          <option value={value}>{value} effort</option>
        ))}
      </select>
    </>
  );
}
