import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { range } = await load('range.mjs');
assert.deepEqual(range(1, 4), [1, 2, 3, 4]);
assert.deepEqual(range(3, 3), [3]);
assert.deepEqual(range(4, 3), []);
