import { spawn } from 'node:child_process';

/** The programs that open an address, without a shell (S99). */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a web address in the user's browser, as well as that can be done: people have the address too. */
export function openBrowser(url: URL): void {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return;
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, url.href], { stdio: 'ignore', detached: true });
  child.on('error', () => undefined);
  child.unref();
}
