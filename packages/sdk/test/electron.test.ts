import { execFile } from 'node:child_process';
import { cp, realpath } from 'node:fs/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPackageWithOptions } from '@electron/asar';
import { isolatedEnvironment, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { findCli } from '../src/transport/process/find-cli.js';

const CLI = fileURLToPath(new URL('../../cli', import.meta.url));

test('the CLI that electron-builder unpacks from its archive is found and runs', async () => {
  verifies('FB21');
  await using resources = await temporaryFolder();
  {
    await using app = await temporaryFolder();
    for (const part of ['bin', 'dist', 'package.json']) {
      await cp(`${CLI}/${part}`, app.resolve('node_modules/@qwen/cli', part), { recursive: true });
    }
    await createPackageWithOptions(app.path, resources.resolve('app.asar'), { unpack: '**/node_modules/@qwen/cli/**' });
  }
  const sdk = resources.resolve('app.asar', 'node_modules', '@qwen', 'sdk', 'dist');
  const { leadingArgs } = findCli({ environment: {}, cwd: resources.path, folders: [sdk] });
  const script = leadingArgs.at(-1) ?? '';
  expect(relative(await realpath(resources.path), script)).toMatch(/^app\.asar\.unpacked/);
  const env = isolatedEnvironment(resources.path);
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--version'], { env });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});
