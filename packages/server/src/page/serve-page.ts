import { fileURLToPath } from 'node:url';
import type { Context } from 'hono';
import type { SurfaceApp } from '../http/surface.js';
import { type PageFile, readPageFiles } from './page-files.js';

/**
 * What the page may do: run its own scripts and talk to its own server. It shows what a model wrote, so even text that
 * found a way to become markup could load nothing, send nothing elsewhere and be framed by nobody.
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

/** The names under here hold a digest of the content. */
const HASHED = '/assets/';

/** Serves the files of the built page by GET; gives their paths. Other paths fall through to what is mounted next. */
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

/** Beside this file once it is built; in the package's `dist` while it runs from source. */
function builtPageFolder(): string {
  const here = import.meta.url;
  return fileURLToPath(new URL(here.endsWith('.ts') ? '../../dist/web/' : './web/', here));
}
