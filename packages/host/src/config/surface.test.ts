import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chooseSurface, fatalDialect } from './surface.js';

const stream = 'stream-json';

test.each([
  [{}, {}, 'text text openai'],
  [{ inputFormat: 'text', outputFormat: 'text' }, {}, 'text text openai'],
  [{ inputFormat: stream }, {}, 'lines text openai'],
  [{ outputFormat: stream }, {}, 'text lines openai'],
  [{ inputFormat: stream, outputFormat: stream }, {}, 'lines lines openai may'],
  [{ inputFormat: 'stream-chunk-json', outputFormat: 'stream-chunk-json' }, {}, 'lines lines openai chunked may'],
  [{ inputFormat: stream, outputFormat: stream, dialect: 'openai' }, {}, 'lines lines openai'],
  [{ inputFormat: stream, outputFormat: stream, dialect: 'sdk' }, {}, 'lines lines sdk'],
  [{ outputFormat: stream, dialect: 'sdk' }, {}, 'text lines sdk'],
  [{ channel: 'SDK' }, {}, 'lines lines sdk'],
  [{ channel: 'SDK', dialect: 'openai' }, {}, 'lines lines openai'],
  [{}, { QWEN_CHANNEL: 'SDK' }, 'lines lines sdk'],
  [{}, { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' }, 'lines lines sdk'],
  [{ outputFormat: 'json' }, {}, 'text document sdk'],
  [{ outputFormat: 'json', dialect: 'openai' }, {}, 'text document openai'],
] as const)('%j with %j is %s', (flags, environment, expected) => {
  verifies('A-01', 'A-02', 'A-03', 'A-04', 'A-05', 'A-06', 'A-07', 'A-17', 'CF-02', 'CF-04', 'CF-05', 'GAP-13');
  const { input, output, dialect, isChunked, mayTurnSdk } = chooseSurface(flags, environment);
  const words = [input, output, dialect, isChunked && 'chunked', mayTurnSdk && 'may'].filter((word) => word !== false);
  expect(words.join(' ')).toBe(expected);
});

test('line input and document output cannot be combined', () => {
  verifies('GAP-14');
  expect(() => chooseSurface({ inputFormat: stream, outputFormat: 'json' }, {})).toThrow(
    expect.objectContaining({ code: 'usage' }),
  );
});

test.each([
  [['-o', 'stream-json'], {}, 'openai'],
  [['--output-format=stream-chunk-json', '--nonsense'], {}, 'openai'],
  [['-o', 'stream-json', '--channel', 'SDK'], {}, 'sdk'],
  [['-o', 'stream-json', '--dialect=sdk'], {}, 'sdk'],
  [['-o', 'stream-json'], { GEMINI_CHANNEL: 'SDK' }, 'sdk'],
  [['-o', 'json'], {}, undefined],
  [['-o', 'stream-json'], { CLAUDE_CODE_ENTRYPOINT: 'sdk-ts' }, undefined],
])('a failed start with %j and %j is a line of the dialect %s', (argv, environment, expected) => {
  verifies('K-06');
  expect(fatalDialect(argv, environment)).toBe(expected);
});
