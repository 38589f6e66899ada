import { type ByteReply, startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture } from './cli-fixture.js';

const event = (payload: unknown) => `data: ${typeof payload === 'string' ? payload : JSON.stringify(payload)}\n\n`;
const answer = (delta: object): ByteReply => ({
  chunks: [event({ choices: [{ index: 0, delta, finish_reason: 'stop' }] }) + event('[DONE]')],
});
const LOOK = { index: 0, id: 'c1', function: { name: 'list_directory', arguments: '{"path":"."}' } };
const looks = answer({ content: 'I look.', tool_calls: [LOOK] });

test('SIGTERM ends a run and keeps its trajectory so far', async () => {
  const hang: ByteReply = { chunks: [event({ choices: [{ index: 0, delta: { content: 'Par' } }] })], ending: 'hang' };
  await using server = await startByteServer([looks, hang]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const args = ['-p', 'go', '-o', 'stream-json', '--dialect', 'sdk', '--include-partial-messages'];
  const program = await fixture.start([...args, '--trajectory', 'run.atif.json'], { env });
  program.endInput();
  await program.next({ type: 'stream_event', event: { delta: { text: 'Par' } } });
  program.kill('SIGTERM');
  await program.exited;
  expect(JSON.parse(await fixture.workspace.read('run.atif.json'))).toMatchObject({
    schema_version: 'ATIF-v1.7',
    steps: [
      { source: 'user', message: 'go' },
      { source: 'agent', message: 'I look.', observation: { results: [{ source_call_id: 'c1' }] } },
      { source: 'agent', message: 'Par' },
    ],
  });
});

test('a trajectory that cannot be written fails the run', async () => {
  await using server = await startByteServer([answer({ content: 'Hello.' })]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const program = await fixture.start(['-p', 'go', '--trajectory', 'missing/run.json'], { env });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 1 });
  expect(program.stderr).toContain('missing/run.json cannot be written. Check --trajectory.');
});
