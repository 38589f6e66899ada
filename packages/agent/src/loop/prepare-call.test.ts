import { expect, test } from 'vitest';
import type { CallFacts } from '../permission/call-facts.js';
import { conflicts } from './prepare-call.js';

function facts(kind: CallFacts['kind'], path?: string): CallFacts {
  const access = kind === 'edit' ? 'write' : 'read';
  const paths = path === undefined ? [] : [{ path, realPath: path, insideRoots: true, access } as const];
  return { toolName: kind, aliases: [], kind, paths };
}

function ofServer(name: string, changes: boolean): CallFacts {
  return { ...facts('other'), service: { name, changes } };
}

test.each([
  ['a file and its folder', facts('edit', '/w/a/b.ts'), facts('read', '/w/a'), true],
  ['a file and the root', facts('edit', '/a.ts'), facts('read', '/'), true],
  ['a file and a folder with a longer name', facts('edit', '/w/ab/c.ts'), facts('read', '/w/a'), false],
  ['two reads', facts('read', '/w/a'), facts('read', '/w'), false],
  ['a change and a read of one server', ofServer('git', true), ofServer('git', false), true],
  ['two calls of a server that state no change', ofServer('git', false), ofServer('git', false), false],
  ['a change of a server and an edit', ofServer('files', true), facts('edit', '/w/a'), true],
  ['a change of a server and a command', ofServer('files', true), facts('execute'), true],
  ['a change of a server and a read of another', ofServer('files', true), ofServer('git', false), false],
  ['a change of a server and a read of a file', ofServer('files', true), facts('read', '/w/a'), false],
])('%s', (_, first, second, isConflict) => {
  expect([conflicts(first, second), conflicts(second, first)]).toEqual([isConflict, isConflict]);
});
