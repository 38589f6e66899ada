import { expect, test } from 'vitest';
import { NO_AGENT_FILES } from './agents/agent-files.js';
import { loadConfiguration } from './config/load-config.js';
import { NO_SETTINGS } from './config/settings.js';
import type { Flags } from './flags/args.js';
import { effortNotices } from './model-directory.js';

const noticesOf = (flags: Flags) =>
  effortNotices(
    loadConfiguration({
      flags: { model: 'gpt-5', ...flags },
      environment: { OPENAI_API_KEY: 'k' },
      cwd: '/',
      settings: NO_SETTINGS,
      agentFiles: NO_AGENT_FILES,
    }),
  );

test('an effort that the model does not support is reported', async () => {
  expect(await noticesOf({ effort: 'high', model: 'some-model' })).toEqual([
    { code: 'effort_not_applied', message: expect.stringContaining('No effort setting is known for some-model.') },
  ]);
  expect(await noticesOf({ model: 'some-model' })).toEqual([]);
  expect(await noticesOf({ effort: 'high' })).toEqual([]);
});
