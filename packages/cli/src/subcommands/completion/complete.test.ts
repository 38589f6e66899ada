import { expect, test } from 'vitest';
import { complete, type FindWords } from './complete.js';

const find: FindWords = async (kind) => [{ value: `a-${kind}` }, { value: `b-${kind}`, meaning: 'The other.' }];

async function values(...words: string[]) {
  const { candidates, paths } = await complete(words, find);
  return [...candidates.map(({ value }) => value), ...(paths === undefined ? [] : [paths])];
}

test('the first word is a subcommand, a flag, or a prompt', async () => {
  expect(await values('')).toEqual(expect.arrayContaining(['sessions', 'mcp', 'doctor', 'help']));
  expect(await values('se')).toEqual(['serve', 'sessions']);
  expect(await values('--max-t')).toEqual(['--max-tool-calls', '--max-tokens']);
  expect(await values('fix', '')).toEqual([]);
  expect((await complete(['sess'], find)).candidates).toEqual([
    { value: 'sessions', meaning: 'Manage stored sessions.' },
  ]);
});

test.each([
  [['-o', 'stream-j'], ['stream-json']],
  [['--output-format=stream-j'], ['--output-format=stream-json']],
  // As bash parts it.
  [['--output-format', '=', 'stream-j'], ['stream-json']],
  [
    ['--resume', ''],
    ['a-session', 'b-session'],
  ],
  [['--resume=b'], ['--resume=b-session']],
  [['--resume', '--fork'], ['--fork-session']],
  [['--include-directories', ''], ['folders']],
  [['--settings', ''], ['files']],
  [['--system-prompt', ''], []],
  [
    ['--debug', '--mod'],
    ['--model', '--model-header'],
  ],
])('flags of the program: %j is completed to %j', async (words, expected) => {
  expect(await values(...words)).toEqual(expected);
});

test.each([
  [['sessions', 'de'], ['delete']],
  [
    ['sessions', 'delete', ''],
    ['a-session', 'b-session'],
  ],
  [['sessions', 'delete', '--yes', 'a-session', 'b'], ['b-session']],
  [['sessions', 'rename', 'a-session', ''], []],
  [
    ['sessions', 'export', '-f', 'js'],
    ['json', 'jsonl'],
  ],
  [['sessions', 'export', 'a-session', ''], ['files']],
  [['sessions', 'list', '--limit', '3', '--a'], ['--all']],
  [['mcp', 'remove', '--scope', 'user', 'a'], ['a-server']],
  [
    ['mcp', 'remove', '--scope='],
    ['--scope=user', '--scope=project', '--scope=local'],
  ],
  [['permissions', 'add', 'a'], ['a-verb']],
  [['permissions', 'add', 'allow', 'a'], ['a-tool']],
  [['trust', ''], ['folders']],
  [['serve', '--require'], ['--require-auth']],
  [['unknown', 'x', ''], []],
])('arguments of subcommands: %j is completed to %j', async (words, expected) => {
  expect(await values(...words)).toEqual(expected);
});
