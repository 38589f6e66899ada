import { expect, test } from 'vitest';
import { checkIssuer, cleanKey } from './clean-key.js';

test.each([
  ['sk-or-v1-abc', 'sk-or-v1-abc'],
  ['  sk-abc\r\n', 'sk-abc'],
  ['OPENAI_API_KEY=sk-abc', 'sk-abc'],
  ['export OPENAI_API_KEY="sk-abc"\n', 'sk-abc'],
  ['"apiKey": "sk-abc",', 'sk-abc'],
  ['API key: sk-abc', 'sk-abc'],
  ['Authorization: Bearer sk-abc', 'sk-abc'],
  ['Bearer sk-abc', 'sk-abc'],
  ["'sk-abc'", 'sk-abc'],
  ['`sk-abc`', 'sk-abc'],
  ['\ufeffsk-\u200babc', 'sk-abc'],
  ['sk-abc\n   def', 'sk-abcdef'],
  ['abc.def==', 'abc.def=='],
  ['id:secret', 'id:secret'],
  ['5f3a:9b==', '5f3a:9b=='],
])('%j contains the key %j', (text, key) => {
  expect(cleanKey(text)).toBe(key);
});

test.each(['', ' \n ', '""', 'two words', 'sk-абв', 'sk-\u001b[31m', 'a'.repeat(20_000)])(
  'refuses %j without quoting it',
  (text) => {
    expect(() => cleanKey(text)).toThrow(expect.objectContaining({ code: 'usage' }));
    if (text.trim().length > 2) {
      expect(() => cleanKey(text)).not.toThrow(expect.objectContaining({ message: expect.stringContaining(text) }));
    }
  },
);

test('a key that names its service is not sent to another one', () => {
  expect(() => checkIssuer('sk-or-v1-abc', 'openai')).toThrow('This is a key of OpenRouter');
  expect(() => checkIssuer('sk-ant-abc', 'gemini')).toThrow('It was not sent and not stored.');
  for (const [key, name] of [
    ['sk-or-v1-abc', 'openrouter'],
    ['sk-abc', 'dashscope'],
    // A gateway may accept any key.
    ['sk-ant-abc', 'gateway'],
  ] as const) {
    expect(() => checkIssuer(key, name)).not.toThrow();
  }
});
