import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

assert.equal(read('notes.txt'), 'Title\r\nThis is the final version.\r\nEnd\r\n');
