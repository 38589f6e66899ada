// The last step of `build`: licences, the type of the CommonJS folder, and only those declarations that apps can reach.
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { writeThirdPartyLicenses } from '@qwen/build/third-party-licenses.js';

const ENTRIES = ['index.d.ts', 'terminal/index.d.ts', 'testing/index.d.ts'];

await writeThirdPartyLicenses('dist', ['dist', 'dist/cjs']);
await writeFile('dist/cjs/package.json', '{ "type": "commonjs" }\n');

const reachable = new Set<string>();
for (const folder of ['dist', 'dist/cjs']) {
  for (const entry of ENTRIES) await follow(resolve(folder, entry));
}
for (const entry of await readdir('dist', { recursive: true, withFileTypes: true })) {
  const file = resolve(entry.parentPath, entry.name);
  if (file.endsWith('.d.ts') && !reachable.has(file)) await rm(file);
}
await removeEmptyFolders('dist');

/** Adds a declaration file and those that it imports. */
async function follow(file: string): Promise<void> {
  if (reachable.has(file)) return;
  reachable.add(file);
  const text = await readFile(file, 'utf8');
  for (const [, specifier] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)\.js['"]/g)) {
    await follow(resolve(dirname(file), `${specifier}.d.ts`));
  }
}

async function removeEmptyFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  }
  const isEmpty = (await readdir(folder)).length === 0;
  if (isEmpty) await rm(folder, { recursive: true });
}
