import { resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { failureOf } from '../../test/programs.js';
import { openFake } from '../../test/sessions.js';
import type { ConfirmQuestion, OnConfirm } from '../index.js';
import { toCommandDescriptor } from '../terminal/to-command-descriptor.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** The arguments that `/greet` returns. */
const toldBy = (content: string) => ({ type: 'message', level: 'info', content });

test('parses commands and leaves plain prompts alone', () => {
  verifies('F-29', 'CF-67');
  const slash = (name: string, args = '') => ({ kind: 'slash', path: [name], args });
  expect(toCommandDescriptor('/chat list')).toEqual(slash('chat', 'list'));
  expect(toCommandDescriptor('  /clear ')).toEqual(slash('clear'));
  expect(toCommandDescriptor('?')).toEqual(slash('help'));
  expect(toCommandDescriptor('/?')).toEqual(slash('help'));
  expect(toCommandDescriptor('read @src/a.ts now')).toEqual({ kind: 'at', args: 'read @src/a.ts now' });
  for (const text of ['hello', '? why not', '/usr/bin/env', '// comment', 'me@home', 'a \\@b', '']) {
    expect(toCommandDescriptor(text)).toBeUndefined();
  }
});

test('a command is answered with its outcome, by text and by path', async () => {
  verifies('F-29', 'A-28');
  await using session = await openFake();
  const byText = await session.command('/greet you');
  expect(byText).toMatchObject({ command: { kind: 'slash', path: ['greet'], args: 'you' }, turn: undefined });
  expect(byText.result).toEqual(toldBy('{"args":"you"}'));
  expect((await session.command({ path: ['greet'], args: 'you' })).result).toEqual(byText.result);
});

test('passes confirmations to the app and returns its answer with the command', async () => {
  verifies('F-29');
  const asked: ConfirmQuestion[] = [];
  const answers: Awaited<ReturnType<OnConfirm>>[] = [
    'proceed_always',
    { outcome: 'proceed_once', approvedCommands: ['ls'] },
    'cancel',
    'proceed_once',
  ];
  const onConfirm: OnConfirm = (question) => {
    asked.push(question);
    return answers.shift() ?? 'cancel';
  };
  await using session = await openFake({}, { onConfirm });
  const told = async (text: string) => (await session.command(text)).result;
  expect(await told('/greet shell')).toEqual(
    toldBy('{"outcome":"proceed_always","approved":["ls","rm x"],"args":"shell"}'),
  );
  expect(await told('/greet shell')).toEqual(toldBy('{"outcome":"proceed_once","approved":["ls"],"args":"shell"}'));
  expect(await told('/greet shell')).toEqual(toldBy('{"outcome":"cancel","approved":[],"args":"shell"}'));
  expect(await told('/greet action')).toEqual(toldBy('{"outcome":"proceed_once","args":"action"}'));
  expect(asked.map(({ kind }) => kind)).toEqual(['shell', 'shell', 'shell', 'action']);
});

test('a throw or a malformed answer cancels the command', async () => {
  const reported: string[] = [];
  await using session = await openFake({}, { stderr: (line) => reported.push(line) });
  const wrong: readonly OnConfirm[] = [
    () => {
      throw new Error('no dialog');
    },
    // What an app without types may return.
    () => JSON.parse('"yes"'),
  ];
  for (const onConfirm of wrong) {
    const { result } = await session.command('/greet action', { onConfirm });
    expect(result).toEqual(toldBy('{"outcome":"cancel","args":"action"}'));
  }
  expect(reported.filter((line) => line.includes('[qwen sdk]'))).toHaveLength(2);
});

test('without onConfirm the confirmation is the outcome', async () => {
  await using session = await openFake();
  expect((await session.command('/greet action')).result).toMatchObject({ type: 'confirm_action', prompt: 'Sure?' });
});

test('a command is followed by a turn: a prompt sent by the CLI, one sent by the SDK, or a tool call', async () => {
  verifies('F-29', 'CF-26');
  await using session = await openFake();
  const byCli = await session.command('/greet model');
  expect(byCli.result?.type).toBe('submit_prompt');
  expect(await byCli.turn?.result).toMatchObject({ text: 'hello person' });
  const byHost = await session.command('/greet host');
  expect(await byHost.turn?.result).toMatchObject({ text: 'by the host' });
  expect((await session.command('/greet host', { mode: 'report' })).turn).toBeUndefined();
  const tool = await session.command('/greet tool');
  expect(await tool.turn?.result).toMatchObject({ text: 'ran glob' });
});

test('a prompt may be a command too', async () => {
  await using session = await openFake();
  const { command } = await session.prompt('/greet you').result;
  expect(command).toEqual(toldBy('{}'));
});

test('rejects text that is not a command', async () => {
  await using session = await openFake();
  expect(await failureOf(session.command('hello'))).toMatchObject({ code: 'invalid_options' });
});

test('after a command that quits, the session is over without an error', async () => {
  await using session = await openFake();
  expect((await session.command('/quit')).result).toEqual({ type: 'quit', messages: [] });
  expect(session.isClosed()).toBe(true);
  expect(await session.close()).toMatchObject({ exitCode: 0 });
});
