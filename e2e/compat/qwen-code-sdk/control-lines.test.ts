import { says, startLineProcess } from '@qwen/testkit';
import { isControlCancel, isControlRequest, isControlResponse, isSDKResultMessage } from '@qwen-code/sdk';
import { expect, test } from 'vitest';
import { CLI, openFixture, userMessage, writesNote } from './fixture.ts';

const FLAGS = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--channel=SDK'];

test('its guards recognize our control lines: answers, questions and withdrawals', async () => {
  await using fixture = await openFixture((workspace) => [writesNote(workspace), says('never')]);
  const { cwd, env = {} } = fixture.options;
  await using program = await startLineProcess({
    command: process.execPath,
    args: [CLI, ...FLAGS],
    env,
    ...(cwd !== undefined && { cwd }),
  });
  const ask = (requestId: string, subtype: string) =>
    program.send({ type: 'control_request', request_id: requestId, request: { subtype, hooks: null } });
  ask('r-1', 'initialize');
  expect(isControlResponse(await program.next({ type: 'control_response' }))).toBe(true);
  program.send(userMessage('write'));
  expect(isControlRequest(await program.next({ type: 'control_request' }))).toBe(true);
  ask('r-2', 'interrupt');
  expect(isControlCancel(await program.next({ type: 'control_cancel_request' }))).toBe(true);
  expect(isSDKResultMessage(await program.next({ type: 'result' }))).toBe(true);
});
