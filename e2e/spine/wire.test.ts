import {
  calls,
  isolatedEnvironment,
  says,
  startLineProcess,
  startScriptedModel,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, collect, openFixture, results } from './fixture.ts';

const LINE_SEPARATORS = 'one\u2028two\u2029three\u0085four\u000bfive\u000csix';

test('Unicode line separators pass through prompt, file, tool and answer', async () => {
  verifies('F5', 'T1', 'FB11', 'S84');
  await using fixture = await openFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: LINE_SEPARATORS } }),
    says(LINE_SEPARATORS),
  ]);
  const conversation = fixture.query(`echo ${LINE_SEPARATORS}`, { permissionMode: 'auto-edit' });
  const [result] = results(await collect(conversation));
  expect(result?.result).toBe(LINE_SEPARATORS);
  expect(await fixture.workspace.read('a.txt')).toBe(LINE_SEPARATORS);
  expect(JSON.stringify(fixture.model.requests[0]?.messages)).toContain('one\u2028two\u2029three');
});

test('a reader that starts late receives an answer with 20,000 deltas up to the last line', async () => {
  verifies('F32', 'F29', 'T21', 'T22');
  await using home = await temporaryFolder();
  await using model = await startScriptedModel([says('0123456789ab'.repeat(20_000))]);
  await using agent = await startLineProcess({
    command: process.execPath,
    args: [
      CLI,
      '--input-format',
      'stream-json',
      '--output-format',
      'stream-json',
      '--channel=SDK',
      '--include-partial-messages',
    ],
    env: isolatedEnvironment(home.path, model.env),
    cwd: home.path,
    reads: 'later',
  });
  agent.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
  agent.send({ type: 'user', session_id: '', message: { role: 'user', content: 'talk' }, parent_tool_use_id: null });
  agent.endInput();
  // The model has been read to its end or the pipe is full: either way the agent now waits for its reader.
  await expect.poll(() => model.requests.length, { timeout: 10_000 }).toBe(1);
  agent.startReading();
  expect(await agent.exited).toEqual({ code: 0, signal: null });
  const text = agent.lines
    .map(({ json }) => (json as { event?: { delta?: { text?: string } } } | undefined)?.event?.delta?.text ?? '')
    .join('');
  expect(text).toBe('0123456789ab'.repeat(20_000));
  expect(agent.lines.at(-1)?.json).toMatchObject({ type: 'result', subtype: 'success' });
});

test('a malformed line affects only that line', async () => {
  verifies('F10', 'F9', 'FB12', 'A-16');
  await using home = await temporaryFolder();
  await using model = await startScriptedModel([says('fine')]);
  await using agent = await startLineProcess({
    command: process.execPath,
    args: [CLI, '--input-format', 'stream-json', '--output-format', 'stream-json', '--channel=SDK'],
    env: isolatedEnvironment(home.path, model.env),
    cwd: home.path,
  });
  agent.send('{"type":"user",');
  agent.send('null');
  agent.send({ type: 'user', session_id: '', message: { role: 'user', content: 'hi' }, parent_tool_use_id: null });
  await agent.next({ type: 'system', subtype: 'error' });
  await agent.next({ type: 'system', subtype: 'error' });
  expect(await agent.next({ type: 'result' })).toMatchObject({ subtype: 'success', result: 'fine' });
});
