import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { processGone, resourceBaseline, verifies } from '@qwen/testkit';
import { afterAll, expect, test } from 'vitest';
import { failureOf, program, queryTo, resultOf } from '../../../test/programs.js';
import type { SpawnedProcess, SpawnRequest } from './spawned-process.js';

const resources = resourceBaseline();
afterAll(() => resources.assertUnchanged());

test('an app can start the CLI itself from the spawn request', async () => {
  verifies('O-25');
  const requests: SpawnRequest[] = [];
  const children: ChildProcess[] = [];
  const spawnProcess = (request: SpawnRequest): SpawnedProcess => {
    requests.push(request);
    const child = spawn(request.command, [...request.args], { env: { ...request.env }, cwd: request.cwd });
    children.push(child);
    return child;
  };
  const options = { spawnProcess, model: 'm', env: { A: '1' }, cwd: import.meta.dirname };
  expect(await resultOf(queryTo('echoes', { options }))).toMatchObject({ result: 'hello' });
  expect(requests).toEqual([
    {
      command: process.execPath,
      args: expect.arrayContaining([program('echoes'), '--model=m']),
      env: expect.objectContaining({ A: '1' }),
      cwd: import.meta.dirname,
    },
  ]);
  expect(processGone(children[0]?.pid ?? -1)).toBe(true);
});

test('a process without pid and stderr works and is ended by the same signals', async () => {
  const remote = new RemoteProcess();
  const conversation = queryTo('echoes', { options: { spawnProcess: () => remote } });
  await conversation.close({ graceMs: 1 });
  expect(remote.heard).toEqual(['SIGTERM', 'SIGKILL']);
  expect(await conversation.closed).toMatchObject({ exitCode: null, signal: 'SIGKILL', stderrTail: '' });
});

test('a throwing function and a process error are failed starts', async () => {
  const thrown = queryTo('echoes', {
    options: {
      spawnProcess: () => {
        throw new Error('no container left');
      },
    },
  });
  expect(await failureOf(thrown.next())).toMatchObject({
    code: 'spawn_failed',
    message: expect.stringContaining('no container left'),
  });
  const reported = queryTo('echoes', { options: { spawnProcess: () => spawn('/does/not/exist') } });
  expect(await failureOf(reported.next())).toMatchObject({ code: 'cli_not_found' });
});

test('the script runs under the given program', async () => {
  const requests: SpawnRequest[] = [];
  const spawnProcess = (request: SpawnRequest): SpawnedProcess => {
    requests.push(request);
    throw new Error('only looking');
  };
  for (const executable of ['bun', '/opt/deno']) {
    await failureOf(queryTo('echoes', { options: { spawnProcess, executable } }).next());
  }
  expect(requests.map(({ command, args }) => [command, ...args.slice(0, args.indexOf(program('echoes')))])).toEqual([
    ['bun'],
    ['/opt/deno', 'run', '--allow-all'],
  ]);
});

/** A process somewhere else that only SIGKILL ends. */
class RemoteProcess extends EventEmitter implements SpawnedProcess {
  readonly stdin = new PassThrough();
  readonly stdout = new PassThrough();
  readonly exitCode = null;
  readonly heard: string[] = [];
  signalCode: string | null = null;

  kill(signal: string): void {
    this.heard.push(signal);
    if (signal !== 'SIGKILL') return;
    this.signalCode = signal;
    this.emit('exit');
  }
}
