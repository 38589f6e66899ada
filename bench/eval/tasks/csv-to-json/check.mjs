import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const run = (...args) => execFileSync(process.execPath, args, { encoding: 'utf8' });

const rows = JSON.parse(run('convert.mjs', 'people.csv'));
assert.deepEqual(rows, [
  { name: 'Ann', city: 'Rome, Italy', quote: 'She said "hi"' },
  { name: 'Bo', city: 'Oslo', quote: '' },
]);
