import type { PermissionMode } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import { Composer } from '../composer/composer.js';
import type { NewSessionInput } from '../session/page-store.js';

const MODES: readonly (readonly [PermissionMode, string])[] = [
  ['default', 'Ask before anything risky'],
  ['plan', 'Plan only, change nothing'],
  ['auto-edit', 'Edit files in the folder unasked'],
  ['yolo', 'Do everything unasked'],
];

export interface NewSessionProps {
  /** False when it failed; the words stay. */
  readonly onStart: (words: NewSessionInput, text: string) => Promise<boolean>;
}

/** The form for a new session: its folder and the first message. */
export function NewSession({ onStart }: NewSessionProps) {
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [mode, setMode] = useState<PermissionMode>('default');
  return (
    <>
      <div class="new-session-form">
        <label>
          <span>Folder</span>
          <input
            value={folder}
            placeholder="the folder of the server"
            spellcheck={false}
            autocapitalize="off"
            onInput={({ currentTarget }) => setFolder(currentTarget.value)}
          />
        </label>
        <label>
          <span>What the agent may do</span>
          <select value={mode} onChange={({ currentTarget }) => setMode(modeOf(currentTarget.value))}>
            {MODES.map(([value, words]) => (
              <option value={value}>{words}</option>
            ))}
          </select>
        </label>
        <label>
          <span>Model</span>
          <input
            value={model}
            placeholder="as in the settings"
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

function modeOf(value: string): PermissionMode {
  return MODES.find(([mode]) => mode === value)?.[0] ?? 'default';
}
