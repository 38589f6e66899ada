import { cp, mkdir, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { nodeFileTrace } from '@vercel/nft';
import { expect, test } from 'vitest';
import { GREETING_APP, install, runApp } from './project.ts';

const IN_COMMON_JS = GREETING_APP.replace(/import (.*) from ('.*');/, 'const $1 = require($2);');

test('the files that @vercel/nft copies for either module format run on another machine', async () => {
  verifies('FB21');
  await using moved = await temporaryFolder();
  {
    await using app = await temporaryFolder();
    await app.write('app.mjs', GREETING_APP);
    await app.write('app.cjs', IN_COMMON_JS);
    await Promise.all([install('sdk', app.path), install('cli', app.path)]);
    const base = await realpath(app.path);
    const cache = {};
    for (const name of ['app.mjs', 'app.cjs']) {
      const { fileList } = await nodeFileTrace([join(base, name)], { base, cache });
      for (const file of fileList) {
        const target = moved.resolve(name, file);
        await mkdir(dirname(target), { recursive: true });
        await cp(join(base, file), target);
      }
    }
  }
  for (const name of ['app.mjs', 'app.cjs']) {
    const folder = moved.resolve(name);
    expect(await runApp(join(folder, name), folder)).toBe('The tool said: from the bundled app\n');
  }
});
