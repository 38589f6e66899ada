// Swaps a folder and a link to another folder for each other, as fast as it can, until it is killed.
import { renameSync } from 'node:fs';

const [, , path, spare, aside] = process.argv;
process.stdout.write('{"state":"ready"}\n');
for (;;) {
  renameSync(path, aside);
  renameSync(spare, path);
  renameSync(path, spare);
  renameSync(aside, path);
}
