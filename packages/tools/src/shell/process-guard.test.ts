import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { processGone, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { expect, test } from 'vitest';

const inTest = (name: string) => fileURLToPath(new URL(`../../test/programs/${name}`, import.meta.url));

function programArguments(command: string): string[] {
  const hooks = inTest('source-hooks.js');
  return ['--conditions=@qwen/source', '--import', hooks, inTest('runs-command.ts'), command];
}

/** Starts a program that runs a command with the shell tool, and waits for the pids that the command prints. */
async function startProgram(command: string) {
  const program = await startLineProcess({
    command: process.execPath,
    args: programArguments(command),
  });
  const { text } = await program.next((line) => typeof line.text === 'string');
  return { program, pids: String(text).trim().split(/\s+/).map(Number) };
}

test('neither a pipeline with children nor a command that ignores signals outlives a kill of this process', async () => {
  verifies('F36', 'F38');
  const ignoring = '(trap "" HUP TERM INT PIPE; sleep 1000; :) &';
  const { program, pids } = await startProgram(
    `${ignoring} sleep 1000 | sleep 1000 & sleep 1000 & echo $(jobs -p) $! $$; wait`,
  );
  await using _ended = program;
  expect(pids.length).toBeGreaterThan(3);
  process.kill(program.pid, 'SIGKILL');
  await program.exited;
  await Promise.all(pids.map((pid) => waitUntilGone(pid, { deadlineMs: 2000 })));
  expect(pids.map(processGone)).not.toContain(false);
});

test.runIf(process.platform === 'linux')('nor does a process that left its group', async () => {
  verifies('F41');
  const { program, pids } = await startProgram('setsid sleep 1000 >/dev/null 2>&1 & echo $!; sleep 1000');
  await using _ended = program;
  process.kill(program.pid, 'SIGKILL');
  await program.exited;
  await Promise.all(pids.map((pid) => waitUntilGone(pid, { deadlineMs: 2000 })));
  expect(pids.map(processGone)).not.toContain(false);
});

test.runIf(process.platform === 'linux')(
  'a command has only the descriptors 0 to 2, whatever this process inherited',
  () => {
    verifies('S83');
    const output = execFileSync(process.execPath, programArguments('ls /proc/$$/fd; readlink /proc/$$/fd/0'), {
      stdio: ['ignore', 'pipe', 'inherit', 'pipe', 'pipe'],
      encoding: 'utf8',
    });
    const lines = output.trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { text: string }).text).join('')).toBe('0\n1\n2\n/dev/null\n');
  },
);
