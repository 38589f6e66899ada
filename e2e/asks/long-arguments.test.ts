import { readFileSync } from 'node:fs';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { collect, openFixture, results } from '../spine/fixture.ts';

test('a system prompt of 1 MB works without appearing on the command line', async () => {
  verifies('FB23', 'T23');
  await using fixture = await openFixture([says('one')]);
  const systemPrompt = `You are --dangerous "quoted" $HOME.\n${'Be kind. '.repeat(116_509)}`;
  expect(systemPrompt.length).toBeGreaterThan(1024 * 1024);
  const conversation = fixture.query('hi --yolo', { systemPrompt, model: '--yolo', allowedTools: ['Bash(git log *)'] });
  await conversation.initialized;
  const words = readFileSync(`/proc/${conversation.pid}/cmdline`, 'utf8').split('\0');
  expect(words.join(' ').length).toBeLessThan(2_000);
  // Each flag carries its value: no value can pass for a flag.
  const flags = words.slice(words.findIndex((word) => word.endsWith('qwen.js')) + 1);
  expect(flags.filter((word) => word !== '' && !/^--[a-z-]+(=|$)/.test(word))).toEqual([]);
  expect(words).toContain('--model=--yolo');
  const messages = await collect(conversation);
  expect(results(messages)).toMatchObject([{ result: 'one' }]);
  const [system] = fixture.model.requests[0]?.messages ?? [];
  expect(JSON.stringify(system?.content)).toContain(JSON.stringify(systemPrompt).slice(1, -1));
});
