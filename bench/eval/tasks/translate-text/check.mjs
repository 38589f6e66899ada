import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

assert.deepEqual(JSON.parse(read('texts.json')), { de: 'Guten Abend 🌙', zh: '晚上好 🌙', en: 'Good evening 🌙' });
