import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { recordingEntrySchema, recordingHeadSchema } from '@qwen/protocol';
import {
  calls,
  hasPrograms,
  isolatedEnvironment,
  programOnPath,
  says,
  startLineProcess,
  type TemporaryFolder,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { expect, test } from 'vitest';
import { chat, expectOnlyProtocol, FORMATS, type Format, isSummary, openLinesFixture, sessionOf } from './fixture.ts';

const run = promisify(execFile);
const CLI = fileURLToPath(new URL('../../packages/cli/bin/qwen.js', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../examples/14-python-client.py', import.meta.url));

/** A turn with a question, kept on a recording. Gives what the host read. */
async function record(format: Format, recording: string): Promise<readonly string[]> {
  await using fixture = await openLinesFixture([
    calls({ name: 'write_file', input: { file_path: 'a.txt', content: 'hello\n' } }),
    says('Written.'),
  ]);
  const program = await fixture.start(format, { args: ['--record', recording] });
  await converse(program);
  return program.lines.map(({ text }) => text);
}

async function converse(program: Awaited<ReturnType<typeof startLineProcess>>): Promise<void> {
  const session = { session_id: await sessionOf(program) };
  program.send(chat('write', session));
  const { request_id: id } = await program.next({ type: 'control_request' });
  program.send({
    type: 'control_response',
    response: { subtype: 'success', request_id: id, response: { behavior: 'allow' } },
  });
  await program.next(isSummary);
  program.endInput();
  expect(await program.exited).toEqual({ code: 0, signal: null });
}

async function replayEnvironment(folder: TemporaryFolder, recording: string): Promise<Record<string, string>> {
  const env = isolatedEnvironment(folder.resolve('home'));
  // Without a model and a key: a client that starts `qwen` gets the recording, with any flags.
  const player = await folder.write(
    'player.cjs',
    `
    process.argv.splice(2, Infinity, '--replay', ${JSON.stringify(recording)});
    require(${JSON.stringify(CLI)});
  `,
  );
  env['PATH'] = await programOnPath(folder, 'qwen', player);
  return env;
}

test.each(FORMATS)('a recording plays the same session to a client, without a model, in %s', async (format) => {
  verifies('GAP-56', 'L-10');
  await using folder = await temporaryFolder();
  const recording = folder.resolve('session.recording');
  const recorded = await record(format, recording);
  expect((await stat(recording)).mode & 0o777).toBe(0o600);

  await using program = await startLineProcess({
    command: 'qwen',
    args: ['--output-format', format],
    env: await replayEnvironment(folder, recording),
    cwd: folder.path,
  });
  await converse(program);
  expect(program.lines.map(({ text }) => text)).toEqual(recorded);
  expectOnlyProtocol(program.lines);
});

test('a recording shows both directions in order, with times', async () => {
  verifies('L-10', 'GAP-56');
  await using folder = await temporaryFolder();
  const recording = folder.resolve('session.recording');
  const recorded = await record('stream-chunk-json', recording);
  const [head, ...lines] = (await folder.read('session.recording')).trimEnd().split('\n');
  expect(Date.parse(recordingHeadSchema.parse(JSON.parse(head ?? '')).started_at)).not.toBeNaN();
  const entries = lines.map((line) => recordingEntrySchema.parse(JSON.parse(line)));
  const times = entries.map(({ t }) => t);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(entries.flatMap((entry) => ('out' in entry ? [entry.out] : []))).toEqual(recorded);
  const heard = entries.flatMap((entry) => ('in' in entry ? [JSON.parse(entry.in) as unknown] : []));
  expect(heard).toMatchObject([{ input: { parts: [{ text: 'write' }] } }, { type: 'control_response' }]);
  expect(entries.at(-1)).toMatchObject({ exit: 0 });
});

test.runIf(hasPrograms('python3'))('a client in another language is tested with a recording', async () => {
  verifies('GAP-56', 'S-09');
  await using folder = await temporaryFolder();
  const recording = folder.resolve('client.recording');
  await using fixture = await openLinesFixture([
    calls({ name: 'write_file', input: { file_path: 'hello.txt', content: 'hello\n' } }),
    says('It is written.'),
  ]);
  const recorder = await folder.write(
    'recorder.cjs',
    `
    process.argv.push('--record', ${JSON.stringify(recording)});
    require(${JSON.stringify(CLI)});
  `,
  );
  const live = { ...fixture.env, PATH: await programOnPath(folder, 'qwen', recorder) };
  const told = await run('python3', [CLIENT], { env: live, cwd: fixture.workspace.path });
  expect(told.stdout).toContain('It is written.');

  const env = await replayEnvironment(folder, recording);
  const again = await run('python3', [CLIENT], { env, cwd: folder.path });
  expect(again).toEqual(told);
});
