// Baseline of chunk lines: the same bytes, line by line, from a file.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const lines = readFileSync(process.argv[2], 'utf8').split('\n').slice(0, -1);
for (const line of lines) {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
}
