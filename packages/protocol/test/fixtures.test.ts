import { readdirSync, readFileSync } from 'node:fs';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONTROL_REQUESTS, type ControlSubtype, isControlSubtype } from '../src/control-requests.js';
import { type Frame, readFrame } from '../src/frame.js';

// Every line of the specification is read unchanged.

const FOLDER = new URL('./fixtures/', import.meta.url);

function readFixture(name: string): Frame {
  return readFrame(readFileSync(new URL(name, FOLDER), 'utf8'));
}

/** The file name names the request of an answer. */
const RESULT_OF: Readonly<Record<string, ControlSubtype>> = {
  '003-can-use-tool-response-allow.json': 'can_use_tool',
  '003-can-use-tool-response-deny.json': 'can_use_tool',
  '003-gemini-initialize-response.json': 'initialize',
  '003-gemini-mcp-message-response.json': 'mcp_message',
  '003-gemini-mcp-server-status-response.json': 'mcp_server_status',
  '003-hook-callback-response-placeholder.json': 'hook_callback',
  '003-null-response.json': 'interrupt',
  '003-qwen-initialize-response.json': 'initialize',
  '003-qwen-mcp-message-response.json': 'mcp_message',
  '003-qwen-mcp-server-status-response.json': 'mcp_server_status',
  '003-qwen-set-model-response.json': 'set_model',
  '003-qwen-set-permission-mode-response.json': 'set_permission_mode',
  '003-supported-commands-response.json': 'supported_commands',
};

/** The one example that shows what must be refused (M-56). */
const REFUSED = '003-set-permission-mode-request-invalid.json';

const names = readdirSync(FOLDER);
const requests = names.filter((name) => name.includes('-request') && !name.includes('cancel') && name !== REFUSED);

test.each(requests)('%s fits the payload schema of its subtype', (name) => {
  verifies('J-16', 'J-19', 'J-24', 'CF-73');
  const frame = readFixture(name);
  if (frame.kind !== 'control' || frame.frame.kind !== 'request') throw new Error(`${name} is not a request`);
  const { subtype, payload, requestId } = frame.frame;
  if (!isControlSubtype(subtype)) throw new Error(`${subtype} is not in the table`);
  const row = CONTROL_REQUESTS[subtype];
  const current =
    'fromOlderPayload' in row ? row.fromOlderPayload(payload as Record<string, unknown>, requestId) : payload;
  expect(row.payload.safeParse(current)).toMatchObject({ success: true, data: current });
});

test.each(Object.entries(RESULT_OF))('%s fits the result schema of %s', (name, subtype) => {
  verifies('J-20', 'J-21', 'J-24', 'CF-73');
  const frame = readFixture(name);
  if (frame.kind !== 'control' || frame.frame.kind !== 'response' || !frame.frame.ok) {
    throw new Error(`${name} is not a successful answer`);
  }
  const { result } = frame.frame;
  expect(CONTROL_REQUESTS[subtype].result.safeParse(result)).toMatchObject({ success: true, data: result });
});

test('the flat tool question is understood', () => {
  verifies('J-16');
  const frame = readFixture('000-output-control-request-can-use-tool-flat.json');
  if (frame.kind !== 'control' || frame.frame.kind !== 'request') throw new Error('not a request');
  const payload = CONTROL_REQUESTS.can_use_tool.fromOlderPayload(
    frame.frame.payload as Record<string, unknown>,
    frame.frame.requestId,
  );
  expect(payload).toMatchObject({
    tool_name: 'edit_file',
    tool_use_id: 'req-1',
    input: { path: 'main.py', patch: '...' },
    reason: 'apply_diff',
  });
});

test.each(['000-input-control-response-success.json', '001-input-control-response-success.json'])(
  '%s allows under the older name',
  (name) => {
    verifies('J-18');
    const frame = readFixture(name);
    if (frame.kind !== 'control' || frame.frame.kind !== 'response' || !frame.frame.ok)
      throw new Error('not an answer');
    const result = CONTROL_REQUESTS.can_use_tool.fromOlderResult(frame.frame.result as Record<string, unknown>);
    expect(CONTROL_REQUESTS.can_use_tool.result.parse(result)).toMatchObject({ behavior: 'allow' });
  },
);

test.each([
  ['000-input-control-response-error.json', undefined],
  ['003-control-response-error-object.json', 'boom'],
  ['003-control-response-error-string.json', 'boom'],
])('%s is an error', (name, message) => {
  verifies('J-22', 'M-06');
  expect(readFixture(name)).toMatchObject({
    kind: 'control',
    frame: { kind: 'response', requestId: 'req-1', ok: false, error: message === undefined ? {} : { message } },
  });
});

test('the withdrawal is read', () => {
  verifies('J-23');
  expect(readFixture('003-control-cancel-request.json')).toEqual({
    kind: 'control',
    frame: { kind: 'cancel', requestId: 'req-1' },
  });
});

test('a permission mode that does not exist is refused', () => {
  verifies('M-56');
  const frame = readFixture(REFUSED);
  if (frame.kind !== 'control' || frame.frame.kind !== 'request') throw new Error('not a request');
  expect(CONTROL_REQUESTS.set_permission_mode.payload.safeParse(frame.frame.payload).success).toBe(false);
});

test('no fixture is left out', () => {
  const tested = names.filter((name) => requests.includes(name) || name in RESULT_OF || name === REFUSED);
  expect(names.filter((name) => !tested.includes(name))).toEqual([
    '000-input-control-response-error.json',
    '000-input-control-response-success.json',
    '001-input-control-response-success.json',
    '003-control-cancel-request.json',
    '003-control-response-error-object.json',
    '003-control-response-error-string.json',
  ]);
});
