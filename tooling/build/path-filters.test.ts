import { expect, test } from 'vitest';
import { OUR_SOURCE } from './past-package-entries.js';
import { filesOf, RESOURCES } from './provider-clients.js';

test.each([
  [OUR_SOURCE, '/qwen/packages/host/src/sessions/live-session.ts'],
  [OUR_SOURCE, '/qwen/packages/terminal/src/screen/app.tsx'],
  [RESOURCES, '/qwen/node_modules/openai/resources/chat/index.mjs'],
  [RESOURCES, '/qwen/node_modules/@anthropic-ai/sdk/resources/messages.mjs'],
  [filesOf('@google/genai'), '/qwen/node_modules/@google/genai/dist/node/index.mjs'],
])('%s finds %s, with slashes and with backslashes', (filter, path) => {
  expect(path).toMatch(filter);
  expect(`C:${path.replaceAll('/', '\\')}`).toMatch(filter);
});

test.each([
  [OUR_SOURCE, '/qwen/packages/host/test/a.ts'],
  [RESOURCES, '/qwen/node_modules/openai/client.mjs'],
  [filesOf('openai'), '/qwen/node_modules/@google/genai/dist/index.mjs'],
])('%s does not find %s', (filter, path) => {
  expect(path).not.toMatch(filter);
});
