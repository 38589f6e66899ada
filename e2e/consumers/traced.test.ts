import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TemporaryFolder, temporaryFolder, verifies } from '@qwen/testkit';
import { nodeFileTrace } from '@vercel/nft';
import { expect, test } from 'vitest';
import { GREETING_APP, install, runApp } from './project.ts';

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

test.each(['app.mjs', 'app.cjs'])('the files that @vercel/nft copies for %s run on another machine', async (name) => {
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
