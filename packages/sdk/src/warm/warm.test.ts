import { type ChildProcess, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { processGone, resourceBaseline, temporaryFolder, verifies, waitUntilGone } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { collect, failureOf, program, resultOf, userMessage } from '../../test/programs.js';
import { createPool, type QueryOptions, type SDKUserMessage, startup } from '../index.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

/** Options for one of the fake CLIs, and the processes that were started with them. */
function watched(name: string): { options: QueryOptions; children: ChildProcess[] } {
  const children: ChildProcess[] = [];
  const options: QueryOptions = {
    pathToQwenExecutable: program(name),
    spawnProcess: ({ command, args, env }) => {
      const child = spawn(command, [...args], { env: { ...env } });
      children.push(child);
      return child;
    },
  };
  return { options, children };
}

const gone = (child: ChildProcess | undefined): boolean => processGone(child?.pid ?? -1);

test('a warm query uses the waiting process, which exits afterwards', async () => {
  verifies('FB19');
  const { options, children } = watched('echoes');
  const warm = await startup(options);
  expect(children).toHaveLength(1);
  const conversation = warm.query('now');
  expect(await resultOf(conversation)).toMatchObject({ result: 'now' });
  expect(conversation.pid).toBe(children[0]?.pid);
  expect(children).toHaveLength(1);
  expect(gone(children[0])).toBe(true);
});

test('accepts several messages but only one query', async () => {
  const { options } = watched('echoes');
  const warm = await startup(options);
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield userMessage('one');
    yield userMessage('two');
  }
  expect(warm.isUsable).toBe(true);
  const results = (await collect(warm.query(prompts()))).filter(({ type }) => type === 'result');
  expect(results).toMatchObject([{ result: 'one' }, { result: 'two' }]);
  expect(warm.isUsable).toBe(false);
  expect(() => warm.query('three')).toThrow(expect.objectContaining({ code: 'already_reading' }));
});

test('leaving the scope ends an unused warm CLI, but not a query made from one', async () => {
  verifies('FB6');
  const { options, children } = watched('echoes');
  {
    await using _unused = await startup(options);
  }
  expect(gone(children[0])).toBe(true);
  const conversation = await (async () => {
    await using warm = await startup(options);
    return warm.query('still here');
  })();
  expect(await resultOf(conversation)).toMatchObject({ result: 'still here' });
});

test('a failed start rejects and leaves no process', async () => {
  const { options, children } = watched('refuses-initialize');
  await expect(startup(options)).rejects.toMatchObject({ code: 'missing_credentials' });
  expect(gone(children[0])).toBe(true);
  await expect(startup({ pathToQwenExecutable: '/does/not/exist' })).rejects.toMatchObject({ code: 'cli_not_found' });
});

test('a warm CLI that exits while it waits fails the query with the reason', async () => {
  const { options, children } = watched('echoes');
  const warm = await startup(options);
  children[0]?.kill('SIGKILL');
  await warm.closed;
  await expect.poll(() => warm.isUsable, { timeout: 10_000 }).toBe(false);
  const failure = await failureOf(collect(warm.query('too late')));
  expect(failure).toMatchObject({ code: 'process_exited', data: { signal: 'SIGKILL' } });
});

test('a pool hands out a waiting CLI, starts the next one, and leaves no process', async () => {
  verifies('FB19', 'FB6');
  const { options, children } = watched('echoes');
  {
    await using pool = createPool({ size: 2, options });
    await pool.ready();
    expect(children).toHaveLength(2);
    const conversation = pool.query('first');
    expect(await resultOf(conversation)).toMatchObject({ result: 'first' });
    expect(conversation.pid).toBe(children[0]?.pid);
    expect(children).toHaveLength(3);
    expect(pool.waitingCount).toBe(2);
    // More at once than there are: the rest starts cold.
    const results = await Promise.all(['a', 'b', 'c', 'd'].map((prompt) => resultOf(pool.query(prompt))));
    expect(results.map(({ result }) => result)).toEqual(['a', 'b', 'c', 'd']);
    await pool.ready();
  }
  expect(children.every(gone)).toBe(true);
});

test('replaces a CLI that exited in the pool', async () => {
  const { options, children } = watched('echoes');
  await using pool = createPool({ size: 1, options });
  await pool.ready();
  children[0]?.kill('SIGKILL');
  await waitUntilGone(children[0]?.pid ?? -1);
  await expect.poll(() => pool.waitingCount, { timeout: 10_000 }).toBe(0);
  expect(children).toHaveLength(1);
  const conversation = pool.query('anyway');
  expect(await resultOf(conversation)).toMatchObject({ result: 'anyway' });
  expect(conversation.pid).toBe(children[1]?.pid);
  expect(pool.waitingCount).toBe(1);
});

test('a CLI removed from the disk fails only the next query', async () => {
  await using folder = await temporaryFolder();
  const cli = await folder.write('cli.mjs', `import '${program('echoes')}';`);
  await using pool = createPool({ options: { pathToQwenExecutable: cli } });
  await pool.ready();
  await rm(cli);
  expect(await resultOf(pool.query('last'))).toMatchObject({ result: 'last' });
  expect(() => pool.query('more')).toThrow(expect.objectContaining({ code: 'cli_not_found' }));
  await expect(pool.ready()).rejects.toMatchObject({ code: 'cli_not_found' });
});

test('a closed pool rejects queries and leaves running ones alone', async () => {
  const { options } = watched('echoes');
  const pool = createPool({ options });
  const conversation = pool.query('last');
  await pool.close();
  await pool.close();
  expect(await resultOf(conversation)).toMatchObject({ result: 'last' });
  expect(() => pool.query('more')).toThrow(expect.objectContaining({ code: 'channel_closed' }));
});

test.each([
  [{ size: 0 }, 'size: expected an integer'],
  [{ size: 1.5 }, 'size: expected an integer'],
  [{ options: { resume: '11111111-2222-4333-8444-555555555555' } }, 'options.resume belongs to a single query'],
  [{ options: { abortController: new AbortController() } }, 'options.abortController belongs to a single query'],
  [{ options: { model: '' } }, 'options.model: expected'],
])('a pool rejects invalid options: %o', (options, message) => {
  expect(() => createPool(options)).toThrow(
    expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(message) }),
  );
});
