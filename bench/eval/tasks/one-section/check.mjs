import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path) => readFileSync(path, 'utf8');

assert.equal(
  read('settings.ini'),
  '; main\n[client]\nport = 8080\n\n[server]\n; public\nport = 9090\nhost = localhost\n\n[admin]\nport = 8080\n',
);
