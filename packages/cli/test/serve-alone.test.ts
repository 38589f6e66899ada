import { execFile } from 'node:child_process';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('without the server package, serve states what is missing', async () => {
  await using folder = await temporaryFolder();
  for (const part of ['package.json', 'bin', 'dist']) {
    await cp(join(import.meta.dirname, '..', part), join(folder.path, part), { recursive: true });
  }
  const env = { PATH: process.env['PATH'], HOME: folder.path };
  const serving = run(process.execPath, [join(folder.path, 'bin/qwen.js'), 'serve', '--port', '0'], { env });
  await expect(serving).rejects.toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('npm install --global @qwen/server'),
  });
});
