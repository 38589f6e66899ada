import { AgentError } from '@qwen/protocol';
import { expect, test } from 'vitest';
import { CommandRegistry } from './index.js';

const clear = { name: 'clear', description: 'Starts afresh.', aliases: ['reset'] };
const chatList = { name: 'chat list', description: 'Lists saved conversations.' };

test('lists commands by name, read afresh each time', () => {
  const registry = new CommandRegistry();
  registry.add(clear);
  expect(registry.list()).toEqual([clear]);
  registry.add(chatList);
  expect(registry.list().map((command) => command.name)).toEqual(['chat list', 'clear']);
});

test('finds by name and alias, without regard to case', () => {
  const registry = new CommandRegistry();
  registry.add(clear);
  expect(registry.find('Clear')).toBe(clear);
  expect(registry.find('reset')).toBe(clear);
  expect(registry.find('res')).toBeUndefined();
});

test.each([
  ['a taken name', { name: 'CLEAR', description: '' }],
  ['a taken alias', { name: 'other', description: '', aliases: ['fine', 'reset'] }],
  ['an alias that repeats the name', { name: 'other', description: '', aliases: ['other'] }],
  ['a slash', { name: '/other', description: '' }],
  ['an empty name', { name: ' ', description: '' }],
])('refuses %s and adds nothing', (_what, command) => {
  const registry = new CommandRegistry();
  registry.add(clear);
  expect(() => registry.add(command)).toThrow(AgentError);
  expect(registry.list()).toEqual([clear]);
  expect(registry.find('fine')).toBeUndefined();
});
