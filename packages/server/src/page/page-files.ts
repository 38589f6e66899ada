import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

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
 * All files of the built page by their path, such as `/assets/index-1a2b.js`; the page itself is `/`. Read once and before
 * any request, so that none chooses what is read from the disk. Empty where the page was not built.
 */
export function readPageFiles(folder: string): ReadonlyMap<string, PageFile> {
  if (!existsSync(folder)) return new Map();
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true });
  const files = entries.flatMap((entry): [string, PageFile][] => {
    const type = TYPES[extname(entry.name)];
    if (!entry.isFile() || type === undefined) return [];
    const place = join(entry.parentPath, entry.name);
    const content = readFileSync(place);
    const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
    const path = `/${relative(folder, place).split(sep).join('/')}`;
    return [[path === '/index.html' ? '/' : path, { type, content, etag }]];
  });
  return new Map(files);
}
