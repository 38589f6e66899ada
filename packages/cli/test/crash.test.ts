import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, SDK_FLAGS } from './cli-fixture.js';
import { CHUNKS, chat, LINES } from './openai/openai-fixture.js';

const slow = { tokensPerSecond: 60 };

/** A library that throws an uncaught error once there is a file named `boom`. */
async function withFault(fixture: CliFixture, fault: string) {
  const boom = fixture.workspace.resolve('boom');
  const library = await fixture.workspace.write(
    'library.cjs',
    `const { existsSync } = require('node:fs');
     const timer = setInterval(() => { if (existsSync(${JSON.stringify(boom)})) { clearInterval(timer); ${fault} } }, 5);
     timer.unref();`,
  );
  return { env: { ...fixture.env, NODE_OPTIONS: `--require ${JSON.stringify(library)}` } };
}

const FAULTS = [
  ['thrown', "throw new Error('boom');"],
  ['rejected', "Promise.reject(new Error('boom'));"],
] as const;

test.each([
  [LINES, FAULTS[0]],
  [CHUNKS, FAULTS[1]],
])('an uncaught error is in the last line, in the OpenAI format, %s %s', async (flags, [, fault]) => {
  verifies('K-06', 'GAP-14', 'S-25');
  await using fixture = await openCliFixture([says('slow '.repeat(500))], slow);
  const agent = await fixture.start(flags, await withFault(fixture, fault));
  agent.send(chat('Speak'));
  await agent.next({});
  await fixture.workspace.write('boom', '');
  expect(await agent.exited).toEqual({ code: 1, signal: null });
  expect(agent.lines.every(({ json }) => json !== undefined)).toBe(true);
  expect(agent.lines.at(-1)?.json).toEqual({
    error: { message: 'boom', type: 'server_error', param: null, code: 'QWEN_INTERNAL' },
  });
  expect(agent.lines.map(({ text }) => text).join('')).not.toContain('library.cjs');
});

test.each(FAULTS)('in the SDK dialect the turn ends with the error, %s', async (_how, fault) => {
  verifies('A-16');
  await using fixture = await openCliFixture([says('slow '.repeat(500))], slow);
  const agent = await fixture.start([...SDK_FLAGS, '--include-partial-messages'], await withFault(fixture, fault));
  agent.send(prompt('Speak'));
  agent.send(prompt('And then'));
  await agent.next({ type: 'stream_event', event: { type: 'content_block_delta' } });
  await fixture.workspace.write('boom', '');
  expect(await agent.exited).toEqual({ code: 1, signal: null });
  const failed = { type: 'result', subtype: 'error_during_execution', is_error: true, error: { message: 'boom' } };
  expect(agent.lines.slice(-2).map(({ json }) => json)).toMatchObject([failed, failed]);
  expect(agent.stderr).toContain('qwen: boom');
});

test('between turns it is a session event', async () => {
  await using fixture = await openCliFixture();
  const agent = await fixture.start(SDK_FLAGS, await withFault(fixture, FAULTS[0][1]));
  await fixture.workspace.write('boom', '');
  expect(await agent.exited).toEqual({ code: 1, signal: null });
  expect(agent.lines.at(-1)?.json).toMatchObject({ type: 'system', subtype: 'error', data: { message: 'boom' } });
});
