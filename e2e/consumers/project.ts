import { cp, mkdir, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type TemporaryFolder, temporaryFolder } from '@qwen/testkit';

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
export const SDK_FOLDER = `${REPOSITORY}packages/sdk`;

/** What npm would install of our packages. */
const PUBLISHED = { sdk: ['dist', 'package.json'], cli: ['bin', 'dist', 'package.json'] } as const;

/** A folder as an app's author has it: a package that depends on the built SDK. */
export async function createProject(files: Readonly<Record<string, string>>): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('node_modules', '@qwen'), { recursive: true });
  await symlink(SDK_FOLDER, folder.resolve('node_modules', '@qwen', 'sdk'), 'junction');
  await symlink(`${REPOSITORY}node_modules/@types`, folder.resolve('node_modules', '@types'), 'junction');
  await folder.write('package.json', '{ "name": "an-app", "type": "module" }');
  for (const [name, text] of Object.entries(files)) await folder.write(name, text);
  return folder;
}

/** Puts a copy of one of our packages into a folder's `node_modules`, as npm does. */
export async function install(name: keyof typeof PUBLISHED, folder: string): Promise<void> {
  for (const part of PUBLISHED[name]) {
    const target = `${folder}/node_modules/@qwen/${name}/${part}`;
    await cp(`${REPOSITORY}packages/${name}/${part}`, target, { recursive: true });
  }
}
