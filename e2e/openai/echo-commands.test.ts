import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { says, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openLinesFixture } from './fixture.ts';
import { problemsOf } from './ipc-schemas.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('fixtures/', import.meta.url));

// The commands of the two documents, to the letter.
test.each(readdirSync(FOLDER))('%s', async (name) => {
  verifies('A-19', 'A-20', 'A-14', 'A-16', 'B-17', 'E-30', 'L-12');
  await using fixture = await openLinesFixture([says('Hello there, you.')]);
  const { stdout } = await run('sh', [FOLDER + name], { env: fixture.env, cwd: fixture.workspace.path });

  expect(stdout.startsWith('{')).toBe(true);
  expect(stdout.endsWith('}\n')).toBe(true);
  expect(stdout).not.toContain('\r');
  const lines: Record<string, unknown>[] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const line of lines) expect(problemsOf(line), JSON.stringify(line)).toEqual([]);
  const object = name.includes('chunk') ? 'chat.completion.chunk' : 'chat.completion';
  expect(new Set(lines.map((line) => line['object']).filter((told) => told !== undefined))).toEqual(new Set([object]));
  expect(textOf(lines)).toBe('Hello there, you.');
  expect(JSON.stringify(fixture.model.requests[0]?.messages.at(-1))).toContain('"user"');
});

/** The words of the model, whichever way they came. */
function textOf(lines: readonly Record<string, unknown>[]): string {
  return lines
    .flatMap((line) => (Array.isArray(line['choices']) ? line['choices'] : []))
    .map(({ message, delta }) => (message ?? delta).content ?? '')
    .join('');
}
