import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));

/** The folder `docs` of the repository. */
export const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));

/** Pages that are not for readers of the site. Links to them lead to the repository. */
export const UNPUBLISHED: ReadonlySet<string> = new Set(['conformance.md']);

/** Copies the pages of `docs` and the home page into `folder`. */
export async function copyDocs(folder: string): Promise<void> {
  await cp(DOCS, folder, {
    recursive: true,
    filter: (path) => !UNPUBLISHED.has(path.slice(DOCS.length + 1)),
  });
  await cp(`${HERE}home.md`, `${folder}/index.md`);
}
