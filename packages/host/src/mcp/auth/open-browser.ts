import { spawn } from 'node:child_process';
import { findProgram } from '@qwen/tools';

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the user's browser. Ignores failures: the user sees the URL too. */
export function openBrowser(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const file = findProgram(program);
  if (file === undefined) return;
  const child = spawn(file, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
