import type { PermissionMode, SandboxOption } from '@qwen/protocol';
import { useState } from 'preact/hooks';
import { Composer } from '../composer/composer.js';
import type { NewSessionInput } from '../session/page-store.js';

const MODES: readonly (readonly [PermissionMode, string])[] = [
  ['default', 'Ask before edits and commands'],
  ['plan', 'Plan mode: no changes'],
  ['auto-edit', 'Auto-accept edits'],
  ['yolo', 'Allow everything without asking'],
];

const SANDBOXES: readonly (readonly [SandboxOption, string])[] = [
  ['workspace-write', 'Commands change only the folder'],
  ['read-only', 'Commands change nothing'],
  ['off', 'No sandbox'],
];

export interface NewSessionProps {
  /** False on an error; the text stays. */
  readonly onStart: (input: NewSessionInput, text: string) => Promise<boolean>;
}

export function NewSession({ onStart }: NewSessionProps) {
  const [folder, setFolder] = useState('');
  const [model, setModel] = useState('');
  const [mode, setMode] = useState<PermissionMode>();
  const [sandbox, setSandbox] = useState<SandboxOption>();
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
        <Choice name="Approval mode" options={MODES} value={mode} onChange={setMode} />
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
        onSend={(text) => onStart({ folder, model, mode, sandbox }, text)}
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
