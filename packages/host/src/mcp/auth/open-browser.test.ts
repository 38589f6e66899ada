import { chmod, readFile } from 'node:fs/promises';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { openBrowser } from './open-browser.js';

afterEach(() => vi.unstubAllEnvs());

test.runIf(process.platform === 'linux')(
  'an address is one argument of the program that opens it, without a shell',
  async () => {
    verifies('S81', 'S99');
    await using folder = await temporaryFolder();
    const said = folder.resolve('said');
    await folder.write(
      'bin/xdg-open',
      `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > '${said}.part'\nmv '${said}.part' '${said}'\n`,
    );
    await chmod(folder.resolve('bin/xdg-open'), 0o755);
    vi.stubEnv('PATH', `${folder.resolve('bin')}:${process.env['PATH']}`);
    // What is no web address comes first: if it were opened, it would be what was said.
    for (const other of [
      'file:///bin/sh',
      'javascript:alert(1)',
      'ourapp://run?cmd=ls',
      'data:text/html,x',
      'vscode:x',
    ]) {
      openBrowser(new URL(other));
    }
    const url = `https://login.example/?a=$(touch ${folder.resolve('pwned')})&b=\`id\`;x|y&c="'`;
    openBrowser(new URL(url));
    await expect.poll(() => readFile(said, 'utf8').catch(() => '')).toBe(`1\n${new URL(url).href}\n`);
    await expect(readFile(folder.resolve('pwned'))).rejects.toMatchObject({ code: 'ENOENT' });
  },
);
