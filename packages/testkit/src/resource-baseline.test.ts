import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { resourceBaseline, startLineProcess } from './index.js';

test('reports open resources until they are closed', async () => {
  const baseline = resourceBaseline();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const onSignal = () => {};
  process.on('SIGUSR2', onSignal);
  const program = await startLineProcess({ command: process.execPath, args: ['-e', 'process.stdin.resume()'] });

  const failure = await baseline.assertUnchanged({ deadlineMs: 0 }).catch(String);
  expect(failure).toContain('TCP');
  expect(failure).toContain('listener SIGUSR2');
  expect(failure).toContain(`child ${program.pid}`);

  server.close();
  process.off('SIGUSR2', onSignal);
  await program[Symbol.asyncDispose]();
  await baseline.assertUnchanged();
});
