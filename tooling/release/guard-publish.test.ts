import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { publishedPackages } from './packages.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What a package manager runs in the folder of the package before it publishes. */
function publish(cwd: string, agent: string): { readonly status: number | null; readonly stderr: string } {
  const [script = ''] = publishedPackages().map(({ folder }) => guardOf(folder));
  const file = join(ROOT, 'packages/cli', script.replace(/^node /, ''));
  return spawnSync(process.execPath, [file], {
    cwd,
    env: { npm_config_user_agent: agent, npm_package_name: '@qwen/cli' },
    encoding: 'utf8',
  });
}

function guardOf(folder: string): string | undefined {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')).scripts.prepublishOnly;
}

test('every published package has the guard', () => {
  const guards = publishedPackages().map(({ folder }) => guardOf(folder));
  expect(new Set(guards)).toEqual(new Set(['node ../../tooling/release/guard-publish.ts']));
});

test('only pnpm may publish, and only a finished build', async () => {
  await using folder = await temporaryFolder();
  expect(publish(folder.path, 'pnpm/12.21.0 node/v24')).toMatchObject({
    status: 1,
    stderr: '@qwen/cli was not published. There is no dist folder. Run "pnpm build" first.\n',
  });
  await folder.write('dist/index.js', '');
  expect(publish(folder.path, 'npm/11.0.0 node/v24')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('Run "pnpm publish --access public"'),
  });
  expect(publish(folder.path, 'pnpm/12.21.0 node/v24')).toMatchObject({ status: 0, stderr: '' });
});
