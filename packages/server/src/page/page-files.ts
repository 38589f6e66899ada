import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

export interface PageFile {
  readonly type: string;
  readonly content: Buffer<ArrayBuffer>;
  /** Quoted. */
  readonly etag: string;
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
]);

/**
 * The files of the built page by URL path; `/` is the page itself. Read before any request, so that no request chooses a
 * path on the disk. Empty if the page is not built.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.flatMap((entry): [string, PageFile][] => {
    const type = TYPES.get(extname(entry.name));
    if (!entry.isFile() || type === undefined) return [];
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    return [[path === '/index.html' ? '/' : path, { type, content, etag }]];
  });
  return new Map(files);
}
