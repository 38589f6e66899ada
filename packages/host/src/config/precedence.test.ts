import { temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { Flags } from '../flags/args.js';
import type { Environment } from './env.js';
import { loadConfiguration } from './load-config.js';
import { loadSettings } from './load-settings.js';

interface Source {
  readonly flags?: Flags;
  readonly environment?: Environment;
  /** A settings file, and what it says. */
  readonly file?: string;
}

/** The sources of the documented table, the strongest first; each says `says` its place in it. */
const MODEL: readonly ((says: string) => Source)[] = [
  (model) => ({ flags: { model } }),
  (QWEN_MODEL) => ({ environment: { QWEN_MODEL } }),
  (OPENAI_MODEL) => ({ environment: { OPENAI_MODEL } }),
  (model) => ({ flags: { settings: JSON.stringify({ model }) } }),
  () => ({ file: 'repo/inner/.qwen/settings.local.json' }),
  () => ({ file: 'repo/inner/.qwen/settings.json' }),
  () => ({ file: 'repo/.qwen/settings.local.json' }),
  () => ({ file: 'repo/.qwen/settings.json' }),
  () => ({ file: 'home/settings.json' }),
];

test.each(MODEL.map((_, index) => index))('of the sources from %d on the first one chooses the model', async (from) => {
  await using folder = await temporaryFolder();
  await folder.write('repo/.git/HEAD', '');
  let flags: Flags = { trustProject: true };
  let environment: Environment = { OPENAI_API_KEY: 'k' };
  for (const [index, source] of MODEL.entries()) {
    if (index < from) continue;
    const { flags: more = {}, environment: variables = {}, file } = source(`model-${index}`);
    flags = { ...flags, ...more };
    environment = { ...environment, ...variables };
    if (file !== undefined) await folder.write(file, JSON.stringify({ model: `model-${index}` }));
  }
  await folder.write('repo/inner/a.txt', '');
  const cwd = folder.resolve('repo/inner');
  const settings = await loadSettings({ configDir: folder.resolve('home'), cwd, flags });
  const agentFiles = { agents: [], notices: [] };
  expect(loadConfiguration({ flags, environment, cwd, settings, agentFiles }).model).toBe(`model-${from}`);
});
