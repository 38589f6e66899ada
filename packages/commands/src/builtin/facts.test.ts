import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { fakeHost, said, typeIn } from '../../test/fake-host.js';
import type { CommandHost } from '../index.js';

// The commands that only tell something.

test('/about', async () => {
  verifies('GAP-03', 'F-16');
  expect(await said('/about', fakeHost())).toBe(`Qwen Code 1.2.3
Platform: linux x64, Node.js 24.0.0
Model: qwen-plus
Account: openai at api.example.com, by OPENAI_API_KEY
Approval mode: default
Session: s-1
Folder: /work`);
  const { host } = fakeHost();
  expect(await said('/status', fakeHost({ facts: { ...host.facts, account: {} } }))).toContain('none is configured');
});

test('/help lists everything by where it comes from, and tells of one command', async () => {
  verifies('GAP-03', 'CF-67');
  const review = { name: 'git:review', description: 'Mine.', kind: 'file' as const, usage: '[ARGUMENTS]' };
  const run = async () => ({ type: 'handled' as const });
  const source = { list: () => [review, { ...review, name: 'clear' }].map((one) => ({ ...one, run })) };
  const outcome = await typeIn('?', fakeHost(), { sources: [source] });
  const content = outcome.type === 'message' ? outcome.content : '';
  expect(content).toContain('Commands:\n');
  expect(content).toContain('\n  /chat save TAG - Saves the conversation as a checkpoint.\n');
  expect(content).toContain('Your own commands:\n  /git:review [ARGUMENTS] - Mine.');
  expect(content).toContain('Left out:\n  /clear (file): /clear (built-in) is stronger');
  expect(await said('/help /chat  RESUME', fakeHost())).toBe(
    '/chat resume TAG\nGoes on from a saved checkpoint.\nAlso: /chat load',
  );
  expect(await said('?dir', fakeHost())).toContain(
    'Also: /dir\nSubcommands:\n  /directory add PATH[,PATH…] - Adds folders',
  );
  expect(await typeIn('/help none', fakeHost())).toMatchObject({ level: 'error', content: 'Unknown command: /none' });
});

test('/bug and /docs give addresses that can be opened', async () => {
  const text = await said('/bug It broke & burns', fakeHost());
  const [address = ''] = /https:\S+/.exec(text) ?? [];
  const { searchParams } = new URL(address);
  expect(searchParams.get('title')).toBe('It broke & burns');
  expect(searchParams.get('body')).toContain('Version: 1.2.3\nPlatform: linux x64, Node.js 24.0.0\nModel: qwen-plus');
  expect(await said('/docs', fakeHost())).toMatch(/https:\/\/\S+$/);
});

test('/stats', async () => {
  verifies('GAP-03');
  expect(await said('/stats', fakeHost())).toBe(`Session: s-1
Turns: 2
Model calls: 3
Tokens: 40 in, 5 out
Context: about 1200 of 8000 tokens`);
  expect(await said('/stats model', fakeHost())).toBe('Models:\n  qwen-plus: 3 call(s), 40 tokens in, 5 out');
  expect(await said('/stats tools', fakeHost())).toBe('Tools:\n  list_directory: 1 call(s)');
  const { host } = fakeHost();
  expect(await said('/stats tools', fakeHost({ session: { ...host.session, records: async () => [] } }))).toBe(
    'No tool was called in this conversation.',
  );
});

test('/tools', async () => {
  verifies('GAP-03');
  expect(await said('/tools', fakeHost())).toBe('Tools:\n  read_file');
  expect(await said('/tools nodesc', fakeHost())).toBe('Tools:\n  read_file');
  expect(await said('/tools desc', fakeHost())).toBe('Tools:\n  read_file\n    Reads a file.');
});

test('/tools run gives a call to the host', async () => {
  verifies('F-23', 'F-04', 'GAP-24');
  const fake = fakeHost();
  expect(await typeIn('/tools run read_file {"file_path": "a b.ts"}', fake)).toEqual({
    type: 'tool',
    toolRequest: { name: 'read_file', args: { file_path: 'a b.ts' } },
  });
  expect(await typeIn('/tools run read_file', fake)).toMatchObject({ toolRequest: { args: {} } });
  expect(await typeIn('/tools run rm', fake)).toMatchObject({ level: 'error', code: 'unknown_tool' });
  for (const bad of ['/tools run', '/tools run read_file [1]', '/tools run read_file {']) {
    expect(await typeIn(bad, fake)).toMatchObject({ level: 'error', code: 'usage' });
  }
});

test('/hooks, /permissions and /agents list', async () => {
  verifies('GAP-03');
  expect(await said('/hooks', fakeHost())).toBe('Hooks:\n  PreToolUse (Bash): ./guard.sh');
  expect(await said('/permissions', fakeHost())).toBe(
    'Approval mode: default\nNever:\n  Read(.env)\nUnasked:\n  Bash(git log:*)',
  );
  expect(await said('/agents list', fakeHost())).toBe('Subagents:\n  reviewer (project) - Reviews.');
  expect(await said('/agents', fakeHost())).toContain('/agents create - Makes a subagent.');
});

test('where there is nothing, that is said', async () => {
  const { host } = fakeHost();
  const nothing: Partial<CommandHost> = {
    hooks: { list: async () => [] },
    permissions: { ...host.permissions, rules: async () => [] },
    agents: { list: async () => [] },
    tools: { list: async () => [] },
    mcp: { ...host.mcp, list: async () => [] },
    memory: { ...host.memory, list: async () => [] },
    storedSessions: { ...host.storedSessions, list: async () => [] },
  };
  for (const text of ['/hooks', '/permissions', '/agents list', '/tools', '/mcp', '/mcp auth', '/mcp refresh']) {
    expect(await said(text, fakeHost(nothing))).toMatch(/There are no|No MCP server/);
  }
  for (const text of ['/memory show', '/memory list']) expect(await said(text, fakeHost(nothing))).toContain('nothing');
  expect(await said('/resume', fakeHost(nothing))).toBe('There are no earlier sessions.');
});
