import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';

const run = (...args) => execFileSync(process.execPath, args, { encoding: 'utf8' });

assert.equal(run('greet.mjs', 'Ann'), 'Hello Ann\n');
assert.equal(run('greet.mjs', 'Ann', '--upper'), 'HELLO ANN\n');
assert.equal(run('greet.mjs', '--upper', 'Ann'), 'HELLO ANN\n');
