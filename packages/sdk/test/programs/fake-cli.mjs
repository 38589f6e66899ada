// The polite part that the fake CLIs of this folder share. Each of them adds one way to misbehave.
// Plain JavaScript without dependencies: it must run exactly as an installed CLI would.

export const SESSION_ID = '11111111-2222-4333-8444-555555555555';

/** Writes one line. */
export function write(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

export const init = () => ({ type: 'system', subtype: 'init', uuid: 'i', session_id: SESSION_ID });

export const says = (text) => ({
  type: 'assistant',
  uuid: 'a',
  session_id: SESSION_ID,
  message: { id: 'm', role: 'assistant', model: 'fake', content: [{ type: 'text', text }] },
});

export const result = (members = {}) => ({
  type: 'result',
  subtype: 'success',
  uuid: 'r',
  session_id: SESSION_ID,
  is_error: false,
  duration_ms: 1,
  ...members,
});

export const delta = (text, index = 0) => ({
  type: 'stream_event',
  uuid: 'd',
  session_id: SESSION_ID,
  message_id: 'm',
  event: { type: 'content_block_delta', index, delta: { type: 'text_delta', text } },
});

/** Answers a control request. */
export function answer(request, response) {
  write({ type: 'control_response', response: { subtype: 'success', request_id: request.request_id, response } });
}

export const READY = {
  subtype: 'initialize',
  session_id: SESSION_ID,
  protocol_version: 1,
  commands: ['help'],
  capabilities: { tools: [], mcpServers: true, hooks: false, permissionControl: true, outputFlow: true },
};

let nextId = 0;
const waiting = new Map();

/** Asks the app; resolves with the `response` member of its answer, whether it went well or not. */
export function ask(request) {
  const requestId = `agent-${++nextId}`;
  write({ type: 'control_request', request_id: requestId, request });
  return new Promise((resolve) => waiting.set(requestId, resolve));
}

/** Withdraws everything that was asked. */
export function withdrawAll() {
  write({ type: 'control_cancel_request' });
}

/**
 * Reads lines and calls the handlers: `control` for requests (it says true when it answered), `user` for prompts, `end`
 * at the end of input. `initialize` and unknown requests are answered here.
 *
 * @param {{ user?: (content: any, text: string) => unknown, control?: (line: any) => boolean, end?: () => void }} handlers
 */
export function serve({ user = () => {}, control = () => false, end = () => {} }) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const text of lines) accept(JSON.parse(text), text);
  });
  process.stdin.on('end', end);

  function accept(line, text) {
    if (line.type === 'user') void user(line.message.content, text);
    if (line.type === 'control_response') waiting.get(line.response.request_id)?.(line.response);
    if (line.type !== 'control_request' || control(line)) return;
    answer(line, line.request.subtype === 'initialize' ? READY : null);
  }
}
