import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { NO_AGENT_FILES } from './agents/agent-files.js';
import { loadConfiguration } from './config/load-config.js';
import { NO_SETTINGS } from './config/settings.js';
import { Departure, runStreamJson } from './headless.js';

const SESSION = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

/** The mode over streams of this process, without a provider. */
function start(cwd: string) {
  const input = new PassThrough();
  const output = new PassThrough();
  const departure = new Departure();
  const written = text(output);
  const { done } = runStreamJson({
    input,
    output,
    departure,
    configuration: loadConfiguration({
      flags: {},
      environment: { QWEN_HOME: cwd },
      cwd,
      settings: NO_SETTINGS,
      agentFiles: NO_AGENT_FILES,
    }),
    session: { kind: 'new', sessionId: SESSION },
  });
  const lines = async (): Promise<{ type: string; subtype?: string }[]> => {
    output.end();
    return (await written)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  return { input, departure, done, lines };
}

test('the mode runs over any pair of streams and leaves them to their owner', async () => {
  verifies('N-01');
  await using folder = await temporaryFolder();
  const { input, done, lines } = start(folder.path);
  input.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  input.end('{"type":"user","message":{"role":"user","content":"hi"}}\n');
  expect(await done).toBe(0);
  expect(await lines()).toMatchObject([
    { type: 'control_response', response: { request_id: '1', response: { session_id: SESSION } } },
    { type: 'system', subtype: 'init' },
    { type: 'assistant' },
    { type: 'result', error: { code: 'missing_credentials' } },
  ]);
});

test('a departure ends it with its exit code while the input stays open', async () => {
  verifies('F56');
  await using folder = await temporaryFolder();
  const { departure, done } = start(folder.path);
  departure.begin(143);
  expect(await done).toBe(143);
});
