// The program that SDKs under test start as their CLI. The variables name the scenario and the file that receives what
// the SDK sent.
import { appendFileSync } from 'node:fs';
import { CONTROL_REQUESTS, type HookRegistration, LineDecoder, toHookRegistrations } from '@qwen/protocol';

const scenario = process.env['QWEN_CONFORMANCE_SCENARIO'] ?? '';
const record = process.env['QWEN_CONFORMANCE_RECORD'] ?? '';
const SESSION = '11111111-2222-4333-8444-555555555555';

type Line = Record<string, unknown>;

const member = (line: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], line);
const note = (line: object): void => appendFileSync(record, `${JSON.stringify(line)}\n`);
const write = (line: object | string): void => {
  process.stdout.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
};

let turn = 0;
let hooks: readonly HookRegistration[] = [];
const waiting = new Map<string, (line: Line) => void>();

function ask(subtype: string, more: object = {}): Promise<Line> {
  const id = crypto.randomUUID();
  write({ type: 'control_request', request_id: id, request: { subtype, ...more } });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function finish(result: string, more: object = {}): void {
  write({
    type: 'result',
    subtype: 'success',
    uuid: crypto.randomUUID(),
    session_id: SESSION,
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    result,
    usage: { input_tokens: 1, output_tokens: 1 },
    permission_denials: [],
    ...more,
  });
}

async function takeTurn(): Promise<void> {
  turn += 1;
  const shared = { uuid: crypto.randomUUID(), session_id: SESSION };
  if (turn === 1) {
    const lists = { tools: ['write_file'], mcp_servers: [], slash_commands: [] };
    const init = {
      cwd: process.cwd(),
      model: 'scripted',
      permission_mode: 'default',
      qwen_code_version: '1',
      ...lists,
    };
    write({ type: 'system', subtype: 'init', ...shared, ...init });
  }
  switch (scenario) {
    case 'dies':
      process.exit(3);
      break;
    case 'noise':
      write('this line is not JSON');
      write({ type: 'message_of_the_future', ...shared });
      break;
    case 'hangs':
      return;
    case 'unknown-request':
      note({ answer: await ask('no_such_request') });
      break;
    case 'permission': {
      const input = { file_path: 'a.txt', content: 'model' };
      const more = {
        tool_name: 'write_file',
        tool_use_id: 't1',
        input,
        permission_suggestions: null,
        blocked_path: null,
      };
      note({ answer: await ask('can_use_tool', more) });
      break;
    }
    case 'hook': {
      const callback = hooks.find(({ event }) => event === 'PreToolUse')?.callbackIds[0];
      const call = { tool_name: 'write_file', tool_input: { file_path: 'a.txt' }, tool_use_id: 't1' };
      const place = { session_id: SESSION, transcript_path: '', cwd: process.cwd(), permission_mode: 'default' };
      const input = { ...place, hook_event_name: 'PreToolUse', ...call };
      note({ answer: await ask('hook_callback', { callback_id: callback ?? 'none', input, tool_use_id: 't1' }) });
      break;
    }
    default:
      break;
  }
  const message = {
    id: 'm1',
    type: 'message',
    role: 'assistant',
    model: 'scripted',
    content: [{ type: 'text', text: `turn ${turn}` }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  write({ type: 'assistant', ...shared, uuid: crypto.randomUUID(), parent_tool_use_id: null, message });
  finish(`turn ${turn}`);
}

function take(line: Line): void {
  note({ line });
  if (line['type'] === 'user') void takeTurn();
  if (line['type'] === 'control_response') waiting.get(String(member(line, 'response', 'request_id')))?.(line);
  if (line['type'] !== 'control_request') return;
  const subtype = member(line, 'request', 'subtype');
  if (subtype === 'initialize') {
    hooks = toHookRegistrations(CONTROL_REQUESTS.initialize.payload.safeParse(line['request']).data?.hooks ?? {});
  }
  const response =
    subtype === 'initialize'
      ? { subtype, session_id: SESSION, protocol_version: 1, commands: [], capabilities: {} }
      : {};
  write({ type: 'control_response', response: { subtype: 'success', request_id: line['request_id'], response } });
  if (subtype === 'interrupt')
    finish('', { subtype: 'error_during_execution', is_error: true, error: { message: 'interrupted' } });
}

const decoder = new LineDecoder();
note({ args: process.argv.slice(2) });
process.stdin.on('data', (chunk: Buffer) => {
  for (const line of decoder.push(chunk)) if (line.ok) take(JSON.parse(line.text));
});
process.stdin.on('end', () => {
  note({ end: true });
  process.exit(0);
});
