import { AsyncQueue } from '@qwen/protocol';
import type { SDKUserMessage } from '@qwen/sdk';
import { calls, lastText, says, type TemporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, results, userMessage } from '../../spine/fixture.ts';
import { openFixture, SLOW_START_MS } from './fixture.ts';

const writesNote = (workspace: TemporaryFolder) =>
  calls({ name: 'write_file', input: { file_path: workspace.resolve('note.txt'), content: 'written' } });

test('canUseTool is called even without a mode', { timeout: SLOW_START_MS }, async () => {
  verifies('FB2');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('done')]);
  const asked: unknown[] = [];
  const messages = await collect(
    fixture.query('write', {
      canUseTool: (name, updatedInput, { suggestions }) => {
        asked.push([name, suggestions?.map(({ type }) => type)]);
        return { behavior: 'allow', updatedInput };
      },
    }),
  );
  expect(asked).toEqual([['write_file', ['allow', 'deny', 'modify']]]);
  expect(await fixture.workspace.read('note.txt')).toBe('written');
  expect(results(messages)).toMatchObject([{ subtype: 'success', result: 'done' }]);
});

test('a changed input is a denial, because this CLI would ignore the change', { timeout: SLOW_START_MS }, async () => {
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  await collect(
    fixture.query('write', {
      canUseTool: (_name, input) => ({ behavior: 'allow', updatedInput: { ...input, content: 'changed' } }),
    }),
  );
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(fixture.asked.slice(1).map(lastText)).toEqual([expect.stringContaining('would ignore the change')]);
});

test('a denial with interrupt ends the turn, and the next prompt is answered', { timeout: SLOW_START_MS }, async () => {
  verifies('FB8');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('the next answer')]);
  const prompts = new AsyncQueue<SDKUserMessage>();
  prompts.push(userMessage('first'));
  const conversation = fixture.query(prompts, {
    canUseTool: () => ({ behavior: 'deny', message: 'stop', interrupt: true }),
  });
  const answers: (string | undefined)[] = [];
  for await (const message of conversation) {
    if (message.type !== 'result') continue;
    answers.push(message.result);
    if (answers.length === 1) prompts.push(userMessage('second'));
    else prompts.end();
  }
  expect(answers).toEqual([undefined, 'the next answer']);
});

test('the model reads the reason of a denial', { timeout: SLOW_START_MS }, async () => {
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('then not')]);
  const messages = await collect(
    fixture.query('write', { canUseTool: () => ({ behavior: 'deny', message: 'not on my disk' }) }),
  );
  await expect(fixture.workspace.read('note.txt')).rejects.toThrow('ENOENT');
  expect(results(messages)).toMatchObject([{ result: 'then not' }]);
  expect(fixture.asked.slice(1).map(lastText)).toEqual([expect.stringContaining('not on my disk')]);
});

test('a timeout that this CLI would ignore is reduced to its maximum, with a notice', {
  timeout: SLOW_START_MS,
}, async () => {
  verifies('FB4');
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('done')]);
  const messages = await collect(
    fixture.query('write', {
      timeout: { canUseTool: Infinity },
      canUseTool: (_name, updatedInput) => ({ behavior: 'allow', updatedInput }),
    }),
  );
  expect(results(messages)).toMatchObject([{ result: 'done' }]);
  expect(fixture.heard.join('\n')).toContain(
    'unsupported_by_cli: options.timeout.canUseTool is too long: this CLI waits at most 600000 ms for a permission answer.',
  );
});
