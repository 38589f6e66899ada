import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { top } = await load('top.mjs');
const numbers = [9, 100, 25, 3];
assert.deepEqual(top(numbers, 2), [100, 25]);
assert.deepEqual(numbers, [9, 100, 25, 3]);
assert.deepEqual(top([-1, -10, 2], 3), [2, -1, -10]);
