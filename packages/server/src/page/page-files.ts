import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { AgentError } from '@qwen/protocol';

/** A file of the built page, as it is sent. */
export interface PageFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
  /** In quotes, as HTTP wants it. */
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/**
 * All files of the built page by their path, such as `/assets/index-1a2b.js`; the page itself is `/`. Read once, so that
 * no request chooses what is read from the disk. Errors: `internal` when the page was not built.
 */
export async function readPageFiles(folder: string): Promise<ReadonlyMap<string, PageFile>> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((cause: unknown) => {
    throw new AgentError('internal', `There is no built page in ${folder}.`, { cause });
  });
  const files = entries.filter((entry) => entry.isFile() && TYPES[extname(entry.name)] !== undefined);
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, PageFile]> => {
        const path = `/${relative(folder, join(parentPath, name)).split(sep).join('/')}`;
        const content = await readFile(join(parentPath, name));
        const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
        return [path === '/index.html' ? '/' : path, { type: TYPES[extname(name)] ?? '', content, etag }];
      }),
    ),
  );
}
