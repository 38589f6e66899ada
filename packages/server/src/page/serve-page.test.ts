import { temporaryFolder, verifies } from '@qwen/testkit';
import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { startServer } from '../../test/http-server.js';
import type { SurfaceApp } from '../http/surface.js';
import { servePage } from './serve-page.js';

/** A built page of three files, next to a file that is not part of it. */
async function servedPage() {
  const folder = await temporaryFolder();
  await folder.write('web/index.html', '<!doctype html>');
  await folder.write('web/assets/index-1a2b.js', 'export {};');
  await folder.write('web/assets/notes.txt', 'not a part of the page');
  await folder.write('secret.js', 'secret');
  const surface: SurfaceApp = new Hono();
  const paths = servePage(surface, folder.resolve('web'));
  const server = await startServer((app) => void app.route('/', surface));
  return {
    paths,
    get: (path: string, headers: Record<string, string> = {}) => fetch(server.url + path, { headers }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

test('the page may only run its own scripts and connect to its own server', async () => {
  verifies('S69');
  await using page = await servedPage();
  const response = await page.get('/');
  expect(await response.text()).toBe('<!doctype html>');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = response.headers.get('content-security-policy')?.split('; ') ?? [];
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy.join()).not.toMatch(/unsafe|\*|https?:/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
});

test('assets are cached by the browser, and the page is revalidated each time', async () => {
  await using page = await servedPage();
  const first = await page.get('/');
  expect(first.headers.get('cache-control')).toBe('no-cache');
  const again = await page.get('/', { 'if-none-match': first.headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect(await again.text()).toBe('');
  const asset = await page.get('/assets/index-1a2b.js');
  expect(asset.headers.get('cache-control')).toContain('immutable');
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
});

test('only the files of the page are served, for any form of the path', async () => {
  verifies('S67');
  await using page = await servedPage();
  expect(page.paths.toSorted()).toEqual(['/', '/assets/index-1a2b.js']);
  for (const path of [
    '/secret.js',
    '/assets/../../secret.js',
    '/assets/..%2f..%2fsecret.js',
    '/assets/%2e%2e/%2e%2e/secret.js',
    '/assets//index-1a2b.js',
    '/assets/notes.txt',
    '/assets/',
    '/index.html',
    '/@fs/etc/passwd?raw??',
  ]) {
    expect((await page.get(path)).status, path).toBe(404);
  }
});

test('a server whose page was not built serves none', async () => {
  await using folder = await temporaryFolder();
  const surface: SurfaceApp = new Hono();
  expect(servePage(surface, folder.resolve('nowhere'))).toEqual([]);
  expect((await surface.request('/')).status).toBe(404);
});
