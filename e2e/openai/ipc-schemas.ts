import { readdirSync, readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';

const FOLDERS = [
  new URL('../../docs/ipc/', import.meta.url),
  new URL('../../packages/protocol/schema/', import.meta.url),
];

const ajv = new Ajv2020({ strict: false });

/** The committed JSON Schemas, by the name of their file: what an implementer in another language has of us. */
const validators = new Map(
  FOLDERS.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .map((name) => {
        const schema: object = JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
        return [name.replace(/\.json$/, ''), ajv.compile(schema)] as const;
      }),
  ),
);

/** The value of a line's discriminator, and the document of that kind. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  'chat.completion': 'chat-completion',
  'chat.completion.chunk': 'chat-completion-chunk',
  'result/command': 'result-command',
  'result/command_hint': 'result-command-hint',
  'result/heartbeat': 'result-heartbeat',
  'result/cancel': 'result-cancel',
  'x-qwen-session-event': 'session-event',
  'control/cancel': 'control-cancel',
  command_hint_request: 'command-hint-request',
  command_hint_cancel: 'command-hint-cancel',
  heartbeat_request: 'heartbeat-request',
  control_request: 'control_request',
  control_response: 'control_response',
  control_cancel_request: 'control_cancel_request',
};

/** The document that a line of either direction has to fit. */
function documentOf(line: Readonly<Record<string, unknown>>): string {
  const told = line['type'] ?? line['object'];
  if (typeof told === 'string') return DOCUMENTS[told] ?? `of "${told}"`;
  return 'error' in line ? 'fatal-error' : 'qwen-chat-request-schema';
}

/** What is wrong with a line of either direction, by the committed schemas; empty where it fits. */
export function problemsOf(line: Readonly<Record<string, unknown>>): readonly string[] {
  const name = documentOf(line);
  const validate = validators.get(name);
  if (validate === undefined) return [`there is no schema ${name}`];
  if (validate(line)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${name}${instancePath}: ${message ?? ''}`);
}
