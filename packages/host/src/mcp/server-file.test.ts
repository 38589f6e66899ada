import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { changeServerFile, readServerFile } from './server-file.js';

test.runIf(process.platform !== 'win32')(
  'only a regular file of limited size is read, so that no start hangs',
  async () => {
    await using folder = await temporaryFolder();
    const path = (name: string) => folder.resolve(`${name}.json`);
    execFileSync('mkfifo', [path('pipe')]);
    symlinkSync('/dev/zero', path('device'));
    mkdirSync(path('folder'));
    writeFileSync(path('huge'), '{');
    truncateSync(path('huge'), 64 * 1024 * 1024);
    for (const name of ['pipe', 'device', 'folder', 'huge']) {
      const refused = { code: 'invalid_settings', message: expect.stringContaining(path(name)) };
      await expect(readServerFile(path(name), 'mcp_json')).rejects.toMatchObject(refused);
      const change = { path: path(name), name: 'db', config: { command: 'db' }, origin: 'project' } as const;
      await expect(changeServerFile(change)).rejects.toMatchObject(refused);
    }
    expect(await readServerFile(path('missing'), 'mcp_json')).toEqual({ inApp: [], outside: {} });
  },
);
