import { existsSync } from 'node:fs';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { openCliFixture } from './cli-fixture.js';

const FLAG = ['--output-last-message', 'answer.txt'];

describe.each([
  ['text', []],
  ['a JSON document', ['-o', 'json']],
  ['lines', ['-o', 'stream-json', '--dialect', 'sdk']],
  ['openai lines', ['-o', 'stream-json']],
])('--output-last-message with %s', (_format, format) => {
  test('contains exactly the last answer', async () => {
    await using fixture = await openCliFixture([
      { ...calls({ name: 'list_directory', input: { path: '.' } }), content: 'I look.' },
      says('Done:\n**2** files. é'),
    ]);
    await fixture.workspace.write('answer.txt', 'of an earlier run');
    const program = await fixture.start(['-p', 'go', ...format, ...FLAG]);
    program.endInput();
    expect(await program.exited).toMatchObject({ code: 0 });
    expect(await fixture.workspace.read('answer.txt')).toBe('Done:\n**2** files. é');
  });
});

test('with a schema, the file contains the JSON', async () => {
  await using fixture = await openCliFixture([calls({ name: 'structured_output', input: { ok: true } })]);
  const program = await fixture.start(['-p', 'go', '--json-schema', '{"type":"object"}', ...FLAG]);
  program.endInput();
  await program.exited;
  expect(JSON.parse(await fixture.workspace.read('answer.txt'))).toEqual({ ok: true });
});

test('a prompt that fails removes the answer of an earlier run', async () => {
  await using fixture = await openCliFixture([says('not the required JSON')]);
  await fixture.workspace.write('answer.txt', 'of an earlier run');
  const program = await fixture.start(['-p', 'go', '--json-schema', '{"type":"object"}', ...FLAG]);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(existsSync(fixture.workspace.resolve('answer.txt'))).toBe(false);
});

test('a file that cannot be written fails the run', async () => {
  await using fixture = await openCliFixture([says('Hello.')]);
  const program = await fixture.start(['-p', 'go', '--output-last-message', 'missing/answer.txt']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.stderr).toContain('missing/answer.txt. Check --output-last-message.');
});
