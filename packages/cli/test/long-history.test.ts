import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { says, startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { type CliFixture, openCliFixture, prompt, RESULT, STOP, textChunk } from './cli-fixture.js';

const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';
const AT = '2030-01-01T00:00:00.000Z';
const USAGE = { input_tokens: 0, output_tokens: 0 };

const folderOf = (fixture: CliFixture) => fixture.workspace.resolve('home/.qwen/sessions');
const fileOf = (fixture: CliFixture) => `${folderOf(fixture)}/${ID}.jsonl`;

/** A session of one turn whose file then gets this many turns of 100 kB each. */
async function writeHistory(fixture: CliFixture, turns: number): Promise<void> {
  const agent = await fixture.startMachine(['--session-id', ID]);
  agent.send(prompt('hello'));
  agent.endInput();
  await agent.next(RESULT);
  await agent.exited;
  await using file = await open(fileOf(fixture), 'a');
  const words = 'words '.repeat(17_000);
  for (let turn = 0; turn < turns; turn += 1) {
    const lines = [
      { type: 'user', uuid: crypto.randomUUID(), at: AT, content: `${turn} ${words}` },
      {
        type: 'assistant',
        uuid: crypto.randomUUID(),
        at: AT,
        model: 'm',
        content: [{ type: 'text', text: 'Yes.' }],
        stop_reason: 'end_turn',
        usage: USAGE,
      },
    ];
    await file.write(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

/** The environment of a program that has a third of the memory that the history would take. */
const withLittleMemory = (fixture: CliFixture) => ({ ...fixture.env, NODE_OPTIONS: '--max-old-space-size=40' });

test('a session larger than memory is copied line by line, and resumes in a process with more', async () => {
  verifies('F95', 'F141');
  await using fixture = await openCliFixture([says('hi')]);
  await writeHistory(fixture, 600);
  const program = await fixture.start(['sessions', 'fork', ID], { env: withLittleMemory(fixture) });
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  const copied = `${folderOf(fixture)}/${program.lines[0]?.text}.jsonl`;
  const [{ size }, copy] = await Promise.all([stat(fileOf(fixture)), stat(copied)]);
  expect(size).toBeGreaterThan(60_000_000);
  expect(copy.size).toBeGreaterThanOrEqual(size);
  await rm(copied);

  const before = await readFile(fileOf(fixture));
  const starved = await fixture.startMachine(['--resume', ID], { env: withLittleMemory(fixture) });
  starved.send(prompt('and now?'));
  const { code, signal } = await starved.exited;
  expect(code === 134 || signal === 'SIGABRT').toBe(true);
  expect(starved.lines.every(({ json }) => json !== undefined)).toBe(true);
  const after = await readFile(fileOf(fixture));
  expect(after.subarray(0, before.length).equals(before)).toBe(true);
  await using patient = await startByteServer([{ chunks: [textChunk('still here'), STOP] }]);
  const env = { ...fixture.env, OPENAI_BASE_URL: `${patient.url}/v1` };
  const agent = await fixture.startMachine(['--resume', ID], { env });
  agent.send(prompt('and now?'));
  expect(await agent.next(RESULT)).toMatchObject({ result: 'still here' });
  expect((await readdir(folderOf(fixture))).filter((name) => name.includes('torn'))).toEqual([]);
}, 120_000);
