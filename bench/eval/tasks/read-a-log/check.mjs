import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

assert.equal(read('answer.txt').trim(), 'E42');
