import { nameTools } from '@qwen/tools';
import { expect, test } from 'vitest';
import { ToolWatch } from './tool-watch.js';

const entry = (name: string, description = '') => ({ name, description, inputSchema: { type: 'object' as const } });

function statesOf(watch: ToolWatch, entries: readonly ReturnType<typeof entry>[]) {
  watch.see(entries);
  const named = nameTools('s', entries, {});
  return Object.fromEntries(named.map(({ name, entry: one }) => [name, watch.definitionOf(one, name).state()]));
}

test.each([
  ['another order', [entry('send mail'), entry('send_mail')]],
  ['a list without the first tool', [entry('send mail')]],
  ['a name with another character', [entry('send.mail')]],
])('a tool that takes over the name of an approved one by %s has changed', (_how, later) => {
  const watch = new ToolWatch({ serverName: 's', onNotice: () => {} });
  const first = statesOf(watch, [entry('send_mail'), entry('send mail'), entry('send.mail')]);
  expect(first['mcp__s__send_mail']).toBe('approved');
  expect(statesOf(watch, later)['mcp__s__send_mail']).toBe('changed');
});

test('a tool that keeps its name and definition stays approved, in any order', () => {
  const watch = new ToolWatch({ serverName: 's', onNotice: () => {} });
  statesOf(watch, [entry('a'), entry('b'), entry('c.d')]);
  expect(Object.values(statesOf(watch, [entry('c.d'), entry('b'), entry('a')]))).toEqual(Array(3).fill('approved'));
});
