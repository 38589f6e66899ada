import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

assert.doesNotMatch(read('config.mjs'), /<<<<<<<|=======|>>>>>>>/);
assert.deepEqual((await load('config.mjs')).config, { name: 'app', timeout: 30, retries: 5, verbose: false });
