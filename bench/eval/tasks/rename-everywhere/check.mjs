import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(path).href);

const { greet } = await load('greet.mjs');
assert.equal(greet(2), 'Hello Bo');
for (const path of ['users.mjs', 'greet.mjs', 'README.md']) {
  assert.doesNotMatch(read(path), /getUsr/);
  assert.match(read(path), /findUser/);
}
