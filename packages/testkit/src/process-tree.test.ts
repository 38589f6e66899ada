import { expect, test } from 'vitest';
import { childrenOf, processGone, startLineProcess, waitUntilGone } from './index.js';

/** A parent that starts a child and never asks how it ended while its event loop is blocked. */
const PARENT = `
  const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
  child.once('spawn', () => console.log(JSON.stringify({ pid: child.pid })));
  process.stdin.once('data', () => { for (;;); });
`;

test('sees the whole tree, and treats a zombie as exited', async () => {
  await using parent = await startLineProcess({ command: process.execPath, args: ['-e', PARENT] });
  const { pid } = await parent.next({});
  const grandchild = Number(pid);
  expect(childrenOf(process.pid)).toEqual(expect.arrayContaining([parent.pid, grandchild]));
  expect(processGone(grandchild)).toBe(false);

  parent.send('block');
  process.kill(grandchild, 'SIGKILL');
  await waitUntilGone(grandchild);
  expect(childrenOf(parent.pid)).not.toContain(grandchild);
});

test('reports a process that does not exit', async () => {
  await expect(waitUntilGone(process.pid, { deadlineMs: 0 })).rejects.toThrow('still runs');
});
