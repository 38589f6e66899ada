import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { outputLines, outputTail } from './output-lines.js';
import { applySgr } from './sgr-style.js';

const words = (printed: string, maxLines = 5) => outputLines(printed, { columns: 20, maxLines }).map(plainText);

test('maps ANSI colors of a command to the theme', () => {
  verifies('D-12');
  expect(
    outputLines('\u001b[1;31mred\u001b[0m \u001b[32mgreen\nstill\u001b[39m not', { columns: 20, maxLines: 5 }),
  ).toEqual([
    [{ text: 'red', bold: true, token: 'AccentRed' }, { text: ' ' }, { text: 'green', token: 'AccentGreen' }],
    [{ text: 'still', token: 'AccentGreen' }, { text: ' not' }],
  ]);
});

test('maps colors of any depth to the nearest token and drops greys and backgrounds', () => {
  const token = (parameters: string) => applySgr({}, `\u001b[${parameters}m`).token;
  expect(token('96')).toBe('AccentCyan');
  expect(token('90')).toBe('Gray');
  expect(token('38;5;9')).toBe('AccentRed');
  expect(token('38;5;208')).toBe('AccentYellow');
  expect(token('38;5;240')).toBeUndefined();
  expect(token('38;2;20;20;200')).toBe('AccentBlue');
  expect(token('38;2;200;20;180')).toBe('AccentPurple');
  expect(token('38;2;100;100;110')).toBeUndefined();
  expect(token('48;5;9;32')).toBe('AccentGreen');
  expect(token('41')).toBeUndefined();
  expect(applySgr({ bold: true, token: 'AccentRed', inverse: true }, '\u001b[22;27m')).toEqual({ token: 'AccentRed' });
  expect(applySgr({ bold: true }, '\u001b[m')).toEqual({});
});

test('removes or escapes control sequences', () => {
  verifies('S25');
  expect(words('a\u001b[2Jb\u001b]52;c;eA==\u0007c\rd\u202ee')).toEqual(['abc', 'd\\u202ee']);
});

test('folds long output, keeping its start and more of its end', () => {
  const printed = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');
  expect(words(printed, 4)).toEqual(['line 0', '… 97 more lines (Ct…', 'line 98', 'line 99']);
  expect(words('one\ntwo', 4)).toEqual(['one', 'two']);
  expect(words(printed, Number.POSITIVE_INFINITY)).toHaveLength(100);
});

test('wraps long lines', () => {
  expect(words('0123456789012345678901234')).toEqual(['01234567890123456789', '01234']);
});

test('shows the end of output that is still arriving', () => {
  expect(outputTail('a\nb\nc\n', { columns: 20, maxLines: 2 }).map(plainText)).toEqual(['b', 'c']);
});
