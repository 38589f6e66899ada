import { open } from 'node:fs/promises';
import { AgentError } from '@qwen/protocol';
import { getSessionMessages } from '@qwen/sdk';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { CLI, collect, type Fixture, openFixture } from './fixture.ts';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const AT = '2030-01-01T00:00:00.000Z';

/** A session that needs more memory than the CLI gets below. */
async function writeHistory({ workspace }: Fixture): Promise<void> {
  const path = await workspace.write(`home/.qwen/sessions/${ID}.jsonl`, '');
  await using file = await open(path, 'a', 0o600);
  const write = (record: object) => file.write(`${JSON.stringify(record)}\n`);
  await write({ type: 'session', version: 1, session_id: ID, cwd: workspace.path, created_at: AT });
  const content = 'words '.repeat(17_000);
  for (let at = 0; at < 600; at += 1) await write({ type: 'user', uuid: `u-${at}`, at: AT, content });
}

test('a CLI that runs out of memory exits with its signal, and the session is preserved', async () => {
  verifies('F141');
  await using fixture = await openFixture([says('never said')]);
  await writeHistory(fixture);
  const env = { ...fixture.env, NODE_OPTIONS: '--max-old-space-size=40' };
  const conversation = fixture.query('and now?', { resume: ID, env });
  const error: unknown = await collect(conversation).catch((thrown: unknown) => thrown);
  expect(AgentError.is(error) && error.code).toBe('process_exited');
  expect(AgentError.is(error) && error.data).toMatchObject({ signal: 'SIGABRT' });
  await conversation.closed;
  const { messages } = await getSessionMessages(ID, { env: fixture.env, pathToQwenExecutable: CLI, limit: 1 });
  expect(messages).toMatchObject([{ type: 'user', uuid: 'u-0' }]);
}, 60_000);
