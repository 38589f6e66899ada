import type { PermissionMode } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import { Composer } from '../composer/composer.js';
import type { NewSessionInput } from '../session/page-store.js';

const MODES: readonly (readonly [PermissionMode, string])[] = [
  ['default', 'Ask before edits and commands'],
  ['plan', 'Plan mode: no changes'],
  ['auto-edit', 'Auto-accept edits'],
  ['yolo', 'Allow everything without asking'],
];

export interface NewSessionProps {
  /** False on an error; the text stays. */
  readonly onStart: (input: NewSessionInput, text: string) => Promise<boolean>;
}

export function NewSession({ onStart }: NewSessionProps) {
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [mode, setMode] = useState<PermissionMode>();
  return (
    <>
      <div class="new-session-form">
        <label>
          <span>Folder</span>
          <input
            value={folder}
            placeholder="Server default"
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => setFolder(currentTarget.value)}
          />
        </label>
        <label>
          <span>Approval mode</span>
          <select value={mode ?? ''} onChange={({ currentTarget }) => setMode(modeOf(currentTarget.value))}>
            <option value="">Server default</option>
            {MODES.map(([value, label]) => (
              <option value={value}>{label}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Model</span>
          <input
            value={model}
            placeholder="Server default"
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => setModel(currentTarget.value)}
          />
        </label>
      </div>
      <Composer
        isRunning={false}
        placeholder="What should the agent do?"
        onSend={(text) => onStart({ folder, model, mode }, text)}
        onStop={() => undefined}
      />
    </>
  );
}

function modeOf(value: string): PermissionMode | undefined {
  return MODES.find(([mode]) => mode === value)?.[0];
}
