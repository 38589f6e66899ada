import { execFile } from 'node:child_process';
import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { createPackageWithOptions } from '@electron/asar';
import { isolatedEnvironment, type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { nodeFileTrace } from '@vercel/nft';
import { expect, test } from 'vitest';
import { findCli } from '../../packages/sdk/src/transport/process/find-cli.ts';
import { GREETING_APP, install, runApp } from './project.ts';

const run = promisify(execFile);

async function createApp(name: string): Promise<TemporaryFolder> {
  const app = await temporaryFolder();
  const isModule = name.endsWith('.mjs');
  await app.write(
    name,
    isModule ? GREETING_APP : GREETING_APP.replace(/import (.*) from ('.*');/, 'const $1 = require($2);'),
  );
  await Promise.all([install('sdk', app.path), install('cli', app.path)]);
  return app;
}

test.each(['app.mjs', 'app.cjs'])('what @vercel/nft copies for %s runs on another machine', async (name) => {
  verifies('FB21');
  await using other = await temporaryFolder();
  {
    await using app = await createApp(name);
    const base = await realpath(app.path);
    const { fileList } = await nodeFileTrace([join(base, name)], { base });
    for (const file of fileList) {
      await mkdir(dirname(other.resolve(file)), { recursive: true });
      await cp(join(base, file), other.resolve(file));
    }
  }
  expect(await runApp(other.resolve(name), other.path)).toBe('The tool said: from the bundled app\n');
});

test('the CLI that electron-builder unpacks from its archive is found and runs', async () => {
  verifies('FB21');
  await using resources = await temporaryFolder();
  {
    await using app = await createApp('app.mjs');
    await createPackageWithOptions(app.path, resources.resolve('app.asar'), { unpack: '**/node_modules/@qwen/cli/**' });
  }
  const sdk = resources.resolve('app.asar', 'node_modules', '@qwen', 'sdk', 'dist');
  const { leadingArgs } = findCli({ environment: {}, cwd: resources.path, folders: [sdk] });
  const script = leadingArgs.at(-1) ?? '';
  expect(relative(await realpath(resources.path), script)).toMatch(/^app\.asar\.unpacked/);
  const { stdout } = await run(process.execPath, [script, '--version'], { env: isolatedEnvironment(resources.path) });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('a CLI inside the archive is reported with the setting to change', async () => {
  verifies('F44');
  await using resources = await temporaryFolder();
  const sdk = resources.resolve('app.asar', 'node_modules', '@qwen', 'sdk', 'dist');
  expect(() => findCli({ environment: {}, cwd: resources.path, folders: [sdk] })).toThrow('asarUnpack');
});
