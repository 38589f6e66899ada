import { readdir, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AgentError } from '@qwen/protocol';
import { startLineProcess, temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { runTool } from '../../test/run-tool.js';
import { FileLedger } from './file-ledger.js';
import { readTool } from './read-tool.js';
import { writeTool } from './write-tool.js';

const FLIPPER = fileURLToPath(new URL('../../test/programs/flips-link.js', import.meta.url));
const TRIES = 10_000;
/** A write waits for the disk, so fewer of the tries are writes. */
const TRIES_PER_WRITE = 10;

test('a folder repeatedly swapped for a link never leads a read or a write outside', {
  timeout: 120_000,
}, async () => {
  verifies('S35');
  await using folder = await temporaryFolder();
  await folder.write('w/inside/file', 'inside');
  await folder.write('outside/file', 'SECRET');
  await symlink(folder.resolve('outside'), folder.resolve('w/spare'));
  await using flipper = await startLineProcess({
    command: process.execPath,
    args: [FLIPPER, folder.resolve('w/inside'), folder.resolve('w/spare'), folder.resolve('w/aside')],
  });
  await flipper.next({ state: 'ready' });
  const ledger = new FileLedger();
  const read = readTool(ledger, { lineNumbers: false });
  const write = writeTool(ledger);
  const path = folder.resolve('w/inside/file');
  const target = folder.resolve('w/inside/new');
  const context = {
    cwd: folder.resolve('w'),
    realPaths: new Map([path, target].map((decided) => [decided, decided])),
  };
  let refused = 0;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const isWrite = attempt % TRIES_PER_WRITE === 0;
    const run = isWrite
      ? runTool(write, { file_path: target, content: String(attempt) }, context)
      : runTool(read, { file_path: path }, context);
    const { content } = await run.catch(asRefusal);
    if (content === 'refused') refused += 1;
    else if (!isWrite) expect(content).toBe('inside');
  }
  // Without a refusal the race never happened and the test would prove nothing.
  expect(refused).toBeGreaterThan(0);
  expect(await readdir(folder.resolve('outside'))).toEqual(['file']);
  expect(await folder.read('outside/file')).toBe('SECRET');
});

function asRefusal(error: unknown): { content: string } {
  if (AgentError.is(error)) return { content: 'refused' };
  throw error;
}
