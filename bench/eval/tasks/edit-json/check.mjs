import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

const found = JSON.parse(read('package.json'));
assert.deepEqual(found, {
  name: 'demo',
  version: '1.3.0',
  scripts: { test: 'node --test', build: 'node build.mjs' },
  dependencies: { right: '^2.0.0' },
  license: 'MIT',
});
assert.ok(read('package.json').endsWith('}\n'));
