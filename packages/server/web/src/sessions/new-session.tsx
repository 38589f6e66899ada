import type { PermissionMode, SandboxOption } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import { Composer, type OutgoingText } from '../composer/composer.js';
import { MODE_CHOICES } from '../composer/setting-choices.js';
import type { NewSessionInput, PageStore } from '../session/page-store.js';
import { FolderPicker } from './folder-picker.js';

const SANDBOXES: readonly (readonly [SandboxOption, string])[] = [
  ['workspace-write', 'Commands change only the folder'],
  ['read-only', 'Commands change nothing'],
  ['off', 'No sandbox'],
];

export interface NewSessionProps {
  readonly page: PageStore;
  /** False on an error; the text stays. */
  readonly onStart: (input: NewSessionInput, message: OutgoingText) => Promise<boolean>;
  readonly draft: string;
  readonly onDraft: (text: string) => void;
}

export function NewSession({ page, onStart, draft, onDraft }: NewSessionProps) {
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [isPicking, setIsPicking] = useState(false);
  const [mode, setMode] = useState<PermissionMode>();
  const [sandbox, setSandbox] = useState<SandboxOption>();
  return (
    <>
      <div class="new-session-form">
        <div class="folder-field">
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
          <button type="button" onClick={() => setIsPicking(true)}>
            Browse…
          </button>
        </div>
        {isPicking && (
          <FolderPicker
            page={page}
            start={folder}
            onChoose={(path) => {
              setFolder(path);
              setIsPicking(false);
            }}
            onClose={() => setIsPicking(false)}
          />
        )}
        <Choice name="Approval mode" options={MODE_CHOICES} value={mode} onChange={setMode} />
        <Choice name="Sandbox" options={SANDBOXES} value={sandbox} onChange={setSandbox} />
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
        draft={draft}
        onDraft={onDraft}
        onSend={(message) => onStart({ folder, model, mode, sandbox }, message)}
        onStop={() => undefined}
      />
    </>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly options: readonly (readonly [Value, string])[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value | undefined) => void;
}

function Choice<Value extends string>({ name, options, value: chosen, onChange }: ChoiceProps<Value>) {
  return (
    <label>
      <span>{name}</span>
      <select
        value={chosen ?? ''}
        onChange={({ currentTarget }) => onChange(options.find(([value]) => value === currentTarget.value)?.[0])}
      >
        <option value="">Server default</option>
        {options.map(([value, label]) => (
          <option value={value}>{label}</option>
        ))}
      </select>
    </label>
  );
}
