import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CONTROL_REQUESTS, type ControlSubtype } from './control-requests.js';

// The members of payloads and results, one by one. Objects let unknown members pass, so what shows that a member is
// known is the value that it refuses.

/** What one member must take and must refuse, in a payload that is right otherwise. */
interface MemberCase {
  readonly rows: readonly string[];
  readonly subtype: ControlSubtype;
  readonly part: 'payload' | 'result';
  /** The other members. */
  readonly rest?: object;
  /** Empty for the whole value. */
  readonly member: string;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const server = { command: 'node', args: ['x'], env: { A: '1' }, cwd: '/' };
const serverMembers = (members: object) => ({ ext: { ...server, ...members } });
const question = { tool_name: 'edit', tool_use_id: 'call_1', input: {} };
const missing = undefined;

const CASES: readonly MemberCase[] = [
  {
    rows: ['M-09', 'M-81'],
    subtype: 'initialize',
    part: 'payload',
    member: 'hooks',
    takes: [
      missing,
      null,
      [],
      [{ event: 'Stop', callback_id: 'h' }],
      { Stop: [{ matcher: null, hookCallbackIds: ['h'], timeout: 5 }], PreToolUse: null },
    ],
    refuses: ['h', [{ event: 'Stop' }], { Stop: [{ matcher: 1, hookCallbackIds: ['h'] }] }, { Stop: [{}] }],
  },
  {
    rows: ['M-10', 'O-35'],
    subtype: 'initialize',
    part: 'payload',
    member: 'sdkMcpServers',
    takes: [missing, null, { calc: { type: 'sdk', name: 'calc' } }, ['calc']],
    refuses: [{ calc: { type: 'stdio', name: 'calc' } }, { calc: { type: 'sdk' } }, [1]],
  },
  {
    rows: ['M-11', 'O-36', 'O-37', 'O-38', 'O-39', 'O-40', 'O-41'],
    subtype: 'initialize',
    part: 'payload',
    member: 'mcpServers',
    takes: [
      missing,
      null,
      {},
      serverMembers({ timeout: 1, trust: true, description: 'd', includeTools: ['a'], excludeTools: [] }),
      { ext: { url: 'http://x', httpUrl: 'http://y', headers: { a: 'b' }, tcp: 'h:1', extensionName: 'e' } },
      { ext: { oauth: { enabled: true, scopes: ['s'] }, targetAudience: 'a', targetServiceAccount: 's' } },
      { ext: { authProviderType: 'dynamic_discovery' } },
      { ext: { authProviderType: 'google_credentials' } },
      { ext: { authProviderType: 'service_account_impersonation' } },
    ],
    refuses: [
      [],
      ...['command', 'cwd', 'url', 'httpUrl', 'tcp', 'description', 'extensionName', 'oauth', 'authProviderType'].map(
        (name) => serverMembers({ [name]: 1 }),
      ),
      ...['args', 'env', 'headers', 'timeout', 'trust', 'includeTools', 'excludeTools', 'targetAudience'].map((name) =>
        serverMembers({ [name]: [1] }),
      ),
      serverMembers({ targetServiceAccount: 1 }),
      serverMembers({ oauth: { scopes: 's' } }),
    ],
  },
  {
    rows: ['M-12', 'O-42', 'O-43', 'O-44'],
    subtype: 'initialize',
    part: 'payload',
    member: 'agents',
    takes: [
      missing,
      null,
      [{ name: 'reviewer', modelConfig: { model: 'm', temp: 1, topP: 1 }, runConfig: { maxTurns: 1 } }],
      { reviewer: { description: 'd', prompt: 'p' } },
    ],
    refuses: [
      [{}],
      ...['description', 'systemPrompt', 'level', 'filePath', 'color', 'tools'].map((name) => [
        { name: 'a', [name]: 1 },
      ]),
      [{ name: 'a', modelConfig: { temp: 'hot' } }],
      [{ name: 'a', modelConfig: { topP: 'high' } }],
      [{ name: 'a', modelConfig: { model: 1 } }],
      [{ name: 'a', runConfig: { maxTimeMinutes: 'long' } }],
      [{ name: 'a', runConfig: { maxTurns: 'many' } }],
    ],
  },
  {
    rows: ['M-13'],
    subtype: 'initialize',
    part: 'result',
    member: 'commands',
    takes: [missing, [], ['help']],
    refuses: ['help', [1]],
  },
  {
    rows: ['M-15', 'M-16', 'M-17', 'M-18'],
    subtype: 'initialize',
    part: 'result',
    member: 'capabilities',
    takes: [
      missing,
      { tools: ['edit'], mcpServers: true, hooks: true, permissionControl: true },
      { can_set_model: true },
    ],
    refuses: [{ tools: [1] }, { mcpServers: 'yes' }, { hooks: 1 }, { permissionControl: null }],
  },
  {
    rows: ['M-19'],
    subtype: 'initialize',
    part: 'result',
    member: 'model',
    takes: [missing, 'm'],
    refuses: [1],
  },
  {
    rows: ['M-19'],
    subtype: 'initialize',
    part: 'result',
    member: 'permissionMode',
    takes: [missing, 'plan'],
    refuses: [1],
  },
  {
    rows: ['M-20'],
    subtype: 'initialize',
    part: 'result',
    member: 'agents',
    takes: [missing, ['reviewer']],
    refuses: ['reviewer'],
  },
  {
    rows: ['M-27'],
    subtype: 'set_model',
    part: 'payload',
    member: 'model',
    takes: ['gemini-2.5-flash', null, missing],
    refuses: [1, {}],
  },
  {
    rows: ['M-28'],
    subtype: 'set_model',
    part: 'result',
    rest: { subtype: 'set_model' },
    member: 'model',
    takes: ['m'],
    refuses: [1],
  },
  {
    rows: ['M-36'],
    subtype: 'supported_commands',
    part: 'result',
    member: 'commands',
    takes: [[], ['help']],
    refuses: [missing, [1]],
  },
  {
    rows: ['M-38'],
    subtype: 'can_use_tool',
    part: 'payload',
    rest: question,
    member: 'tool_name',
    takes: ['edit'],
    refuses: [missing, 1],
  },
  {
    rows: ['M-38'],
    subtype: 'can_use_tool',
    part: 'payload',
    rest: question,
    member: 'tool_use_id',
    takes: ['call_1'],
    refuses: [missing, 1],
  },
  {
    rows: ['M-39', 'O-45'],
    subtype: 'can_use_tool',
    part: 'payload',
    rest: question,
    member: 'permission_suggestions',
    takes: [
      missing,
      null,
      [
        { type: 'allow', label: 'a' },
        { type: 'deny', label: 'd', description: 'x' },
        { type: 'modify', label: 'm', modifiedInput: 1 },
      ],
      [{ type: 'addRules', rules: [] }],
    ],
    refuses: ['allow', [{ type: 'allow' }], [{ label: 'a' }], [{ type: 'deny', label: 'd', description: 1 }]],
  },
  {
    rows: ['M-40'],
    subtype: 'can_use_tool',
    part: 'payload',
    rest: question,
    member: 'blocked_path',
    takes: [missing, null, '/etc/passwd'],
    refuses: [1],
  },
  {
    rows: ['M-41', 'S87'],
    subtype: 'can_use_tool',
    part: 'result',
    member: 'behavior',
    takes: ['allow', 'deny'],
    refuses: [missing, 'Allow', true, 1, ['allow']],
  },
  {
    rows: ['M-41'],
    subtype: 'can_use_tool',
    part: 'result',
    rest: { behavior: 'deny' },
    member: 'interrupt',
    takes: [missing, null, true],
    refuses: ['yes'],
  },
  {
    rows: ['M-41'],
    subtype: 'can_use_tool',
    part: 'result',
    rest: { behavior: 'deny' },
    member: 'message',
    takes: [missing, null, 'no'],
    refuses: [1],
  },
  {
    rows: ['M-41'],
    subtype: 'can_use_tool',
    part: 'result',
    rest: { behavior: 'allow' },
    member: 'updatedInput',
    takes: [missing, null, { path: 'b' }],
    refuses: ['b', [1]],
  },
  {
    rows: ['M-54', 'O-46'],
    subtype: 'set_permission_mode',
    part: 'payload',
    member: 'mode',
    takes: ['default', 'plan', 'auto-edit', 'yolo'],
    refuses: [missing, 'YOLO', 1],
  },
  {
    rows: ['M-55'],
    subtype: 'set_permission_mode',
    part: 'result',
    rest: { mode: 'plan' },
    member: 'status',
    takes: ['updated', missing],
    refuses: ['old'],
  },
  {
    rows: ['M-62'],
    subtype: 'mcp_server_status',
    part: 'result',
    member: 'status',
    takes: [{ calc: 'connected' }],
    refuses: ['connected'],
  },
  {
    rows: ['M-64'],
    subtype: 'mcp_message',
    part: 'payload',
    rest: { server_name: 'calc' },
    member: 'message',
    takes: [
      { jsonrpc: '2.0', id: 0, method: 'tools/list' },
      { method: 'x', id: 'a', params: {} },
      { method: 'x', id: null },
    ],
    refuses: [missing, 'x', { id: {} }, { method: 1 }],
  },
  {
    rows: ['M-64'],
    subtype: 'mcp_message',
    part: 'payload',
    rest: { message: {} },
    member: 'server_name',
    takes: ['calc'],
    refuses: [missing, 1],
  },
  {
    rows: ['M-65'],
    subtype: 'mcp_message',
    part: 'result',
    member: 'mcp_response',
    takes: [
      { jsonrpc: '2.0', id: 1, result: {} },
      { id: 1, error: { code: -32_601, message: 'no' } },
    ],
    refuses: ['x', { error: 'no' }],
  },
  {
    rows: ['M-65'],
    subtype: 'mcp_message',
    part: 'result',
    member: 'error',
    takes: [missing, null, 'gone'],
    refuses: [1],
  },
  {
    rows: ['M-69'],
    subtype: 'hook_callback',
    part: 'payload',
    rest: { input: {} },
    member: 'callback_id',
    takes: ['h'],
    refuses: [missing, 1],
  },
  {
    rows: ['M-69'],
    subtype: 'hook_callback',
    part: 'payload',
    rest: { input: {}, callback_id: 'h' },
    member: 'tool_use_id',
    takes: [missing, null, 'call_1'],
    refuses: [1],
  },
  {
    rows: ['M-70'],
    subtype: 'hook_callback',
    part: 'result',
    member: '',
    takes: [{}, { result: 'done', callback_id: 'h' }],
    refuses: [null, 'done', []],
  },
];

test.each(CASES.map((one) => [one.subtype, one.part, one.member, one] as const))('%s %s %s', (_s, _p, _m, one) => {
  verifies(...one.rows);
  const schema = CONTROL_REQUESTS[one.subtype][one.part];
  const fits = (value: unknown): boolean => {
    if (one.member === '') return schema.safeParse(value).success;
    // JSON leaves out what is undefined.
    const whole: unknown = JSON.parse(JSON.stringify({ ...one.rest, [one.member]: value }));
    return schema.safeParse(whole).success;
  };
  expect(one.takes.filter((value) => !fits(value))).toEqual([]);
  expect(one.refuses.filter((value) => fits(value))).toEqual([]);
});
