import { PassThrough } from 'node:stream';
import { readEnvironment } from '@qwen/host/config/env.js';
import { loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadFiles } from '@qwen/host/config/load-files.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import { says, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { plainText } from '../lines/styled-line.js';
import { DARK } from '../theme/themes.js';
import { createScreenSession } from './create-screen-session.js';

const PATIENCE = { timeout: 10_000 };

const typed = (text: string) => ({ text, images: [] });

test('the user can continue a session that is in use in a copy; queued prompts return to the input', async () => {
  await using folder = await temporaryFolder();
  await using model = await startScriptedModel([says('Noted'), says('From the copy')]);
  const cwd = folder.path;
  const configDir = folder.resolve('home');
  const environment = readEnvironment({ ...model.env, QWEN_HOME: configDir, QWEN_SANDBOX: 'off' });
  const files = await loadFiles({ configDir, cwd, flags: {} });
  const configuration = loadConfiguration({ flags: {}, environment, cwd, ...files });
  const printed: string[] = [];
  const open = (choice: SessionChoice) =>
    createScreenSession({
      configuration,
      choice,
      flags: {},
      output: Object.assign(new PassThrough(), { columns: 80 }) as unknown as NodeJS.WriteStream,
      isScreenReader: false,
      toTheme: () => DARK,
      print: (lines) => void printed.push(...lines.map(plainText)),
      quit: () => undefined,
    }).session;
  const sessionId = crypto.randomUUID();
  const first = open({ kind: 'new', sessionId });
  first.submit(typed('Remember one'));
  await expect.poll(() => printed.join('\n'), PATIENCE).toContain('Noted');

  const second = open({ kind: 'resume', sessionId });
  const returned: string[] = [];
  second.onReturned((inputs) => void returned.push(...inputs.map(({ text }) => text)));
  const answer = async (confirmationOutcome: 'cancel' | 'proceed_once') => {
    await expect.poll(() => second.store.getState().question?.kind, PATIENCE).toBe('confirmation');
    const { question } = second.store.getState();
    if (question?.kind === 'confirmation') question.answer({ confirmationOutcome, approvedCommands: [] });
  };
  second.submit(typed('Add two'));
  second.submit(typed('/about'));
  await answer('cancel');
  expect(returned).toEqual(['/about']);
  expect(second.host.sessionId).toBe(sessionId);
  second.submit(typed('Add two'));
  await answer('proceed_once');
  await expect.poll(() => second.host.sessionId, PATIENCE).not.toBe(sessionId);
  second.submit(typed('Add three'));
  await expect.poll(() => printed.join('\n'), PATIENCE).toContain('From the copy');
  const messages = JSON.stringify(model.requests.at(-1)?.messages);
  expect(messages).toMatch(/Remember one.*Noted.*Add three/);
  expect(messages).not.toContain('Add two');
  await Promise.all([first.close(), second.close()]);
});
