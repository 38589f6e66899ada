import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

const text = read('Makefile');
assert.match(text, /^clean:.*\n\t(@|-)*rm -rf out$/m);
assert.match(text, /^\.PHONY:.*\bbuild\b.*$/m);
assert.match(text, /^\.PHONY:.*\bclean\b.*$/m);
assert.match(text, /^build:\n\tmkdir -p out\n\tcp main\.c out\/$/m);
