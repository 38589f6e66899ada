import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import type { SurfaceApp } from '../http/surface.js';
import { type PageFile, readPageFiles } from './page-files.js';

/**
 * The page may only run its own scripts and call its own server. It shows model output, so injected markup must not be
 * able to load or send anything.
 */
const SECURITY_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Names in this folder contain a content hash. */
const HASHED = '/assets/';

/** Serves the files of the built page; returns their paths. */
export function servePage(app: SurfaceApp, folder = builtPageFolder()): readonly string[] {
  const files = readPageFiles(folder);
  for (const [path, file] of files) app.get(path, (context) => answer(context, path, file));
  return [...files.keys()];
}

function answer(context: Context, path: string, { type, content, etag }: PageFile): Response {
  const headers = {
    ...SECURITY_HEADERS,
    etag,
    'cache-control': path.startsWith(HASHED) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (context.req.header('if-none-match') === etag) return context.body(null, 304, headers);
  return context.body(content, 200, { ...headers, 'content-type': type });
}

/** Next to this file when built; in `dist` when run from source. */
function builtPageFolder(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../dist/web/' : './web/', here));
}
