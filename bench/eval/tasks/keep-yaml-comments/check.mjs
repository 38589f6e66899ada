import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

const text = read('compose.yml');
assert.match(text, /# the database\n {2}db:\n {4}image: postgres:17 # pinned\n/);
assert.match(text, /image: web:1\n/);
assert.match(text, /db:[^]*ports:\n\s+- ['"]?5433:5432['"]?\n/);
assert.equal(text.match(/5433:5432/g)?.length, 1);
assert.ok(text.indexOf('web:') < text.indexOf('# the database'));
