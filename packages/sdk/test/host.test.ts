import { fileURLToPath } from 'node:url';
import { startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { program } from './programs.js';

// These run the built package in a separate process, because that process has to die.

async function startHost(cli: string, then: 'wait' | 'exit') {
  const args = [fileURLToPath(new URL('./programs/host.mjs', import.meta.url)), program(cli), then];
  const host = await startLineProcess({ command: process.execPath, args });
  const { pid } = await host.next((line) => typeof line['pid'] === 'number');
  return { host, pid: Number(pid) };
}

test.each(['SIGKILL', 'SIGINT', 'SIGTERM'] as const)('an app that ends by %s leaves no CLI', async (signal) => {
  verifies('O-23', 'F35', 'T31', 'FB6');
  const { host, pid } = await startHost('ends-with-input', 'wait');
  await using _ = host;
  process.kill(host.pid, signal);
  await waitUntilGone(pid);
  expect(await host.exited).toMatchObject({ signal });
});

test('process.exit() in an app also ends a CLI that ignores the end of its input', async () => {
  verifies('O-22', 'FB6');
  const { host, pid } = await startHost('leaves-at-sigterm', 'exit');
  await using _ = host;
  await waitUntilGone(pid);
  expect(await host.exited).toMatchObject({ code: 0 });
});
