import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

const lines = read('values.conf').split('\n');
const wanted = Array.from(
  { length: 1_500 },
  (_, index) => `setting_${index} = ${index === 1_337 ? 5_000 : (index * 7) % 101}`,
);
assert.deepEqual(lines, [...wanted, '']);
