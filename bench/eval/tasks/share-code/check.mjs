import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

assert.equal((await load('circle.mjs')).area(2), Math.PI * 4);
assert.equal((await load('sphere.mjs')).surface(2), 16 * Math.PI);
assert.equal((await load('math.mjs')).square(3), 9);
for (const path of ['circle.mjs', 'sphere.mjs']) assert.doesNotMatch(read(path), /function square|square = /);
