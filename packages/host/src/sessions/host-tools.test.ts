import type { ToolContext } from '@qwen/agent';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { HostTools, toHostTool } from './host-tools.js';

function open() {
  const tools = new HostTools();
  tools.declare([toHostTool({ name: 'lookup' })]);
  const [tool] = tools.list;
  const controller = new AbortController();
  const context = (callId: string): ToolContext => ({
    callId,
    cwd: '/w',
    signal: controller.signal,
    emit: () => undefined,
  });
  return { tools, controller, run: async (callId: string) => tool?.execute({}, context(callId)) };
}

test('a call waits for the answer with its ID, also if answers arrive out of order', async () => {
  verifies('E-25', 'GAP-05');
  const { tools, run } = open();
  const both = Promise.all([run('a'), run('b')]);
  tools.answer('b', { content: 'B' });
  tools.answer('a', { content: 'A' });
  expect(await both).toEqual([{ content: 'A' }, { content: 'B' }]);
});

test('an answer that arrives before the call counts once', async () => {
  const { tools, run } = open();
  tools.announce('a', 'lookup');
  tools.answer('a', { content: 'quick' });
  expect(() => tools.answer('a', { content: 'again' })).toThrow('no call "a" is waiting for an answer');
  expect(await run('a')).toEqual({ content: 'quick' });
});

test('calls of other tools wait for no answer', () => {
  verifies('E-22');
  const { tools } = open();
  tools.announce('a', 'read_file');
  expect(() => tools.answer('a', { content: '' })).toThrow(expect.objectContaining({ code: 'invalid_message' }));
});

test('the end of input fails pending and later calls', async () => {
  verifies('GAP-10');
  const { tools, run } = open();
  const waiting = run('a');
  tools.endInput();
  const failed = { content: 'Input closed', isError: true };
  expect([await waiting, await run('b')]).toEqual([failed, failed]);
});

test('the end of the turn ends the wait, and its answer is late', async () => {
  const { tools, controller, run } = open();
  const waiting = run('a');
  controller.abort();
  expect(await waiting).toMatchObject({ isError: true });
  expect(() => tools.answer('a', { content: 'late' })).toThrow('no call "a"');
});

test('a definition replaces the one with its name', () => {
  const { tools } = open();
  tools.declare([toHostTool({ name: 'lookup', description: 'new', parameters: { type: 'object', required: ['q'] } })]);
  expect(tools.list).toMatchObject([{ description: 'new', inputSchema: { required: ['q'] } }]);
});
