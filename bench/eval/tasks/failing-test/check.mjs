import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

assert.match(readFileSync('price.test.mjs', 'utf8'), /assert\.equal\(total\(\[10, 5\], 0\.2\), 12\)/);
const { NODE_TEST_CONTEXT: _context, ...env } = process.env;
assert.equal(spawnSync(process.execPath, ['--test'], { env }).status, 0);
