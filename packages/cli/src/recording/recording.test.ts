import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { AgentError } from '@qwen/protocol';
import { temporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { LineWriter } from '../io/line-writer.js';
import { Recorder } from './recorder.js';
import { replay } from './replay.js';

const noLoss = (error: AgentError) => {
  throw error;
};

async function record(path: string): Promise<void> {
  const recording = await Recorder.open({ path, version: '1.2.3', onLost: noLoss });
  recording.output('{"hello":1}\n');
  recording.input('{"type":"control_request","request_id":"then","request":{"subtype":"initialize"}}');
  recording.output('{"type":"control_response","response":{"request_id":"then"}}\n{"more":"\u2028"}\n');
  recording.input('not JSON \u0000');
  recording.output('{"last":true}\n');
  await recording.close(3);
}

async function play(path: string, lines: readonly string[], isEnded = true) {
  const input = new PassThrough();
  const output = new PassThrough();
  const said = text(output);
  for (const line of lines) input.write(`${line}\n`);
  if (isEnded) input.end();
  const writer = new LineWriter(output);
  const exitCode = await replay({ path, input, writer, timing: 'instant' });
  await writer.flush();
  output.end();
  return { exitCode, said: await said };
}

test('a recording contains both directions in order and is readable only by its owner', async () => {
  verifies('L-10', 'GAP-56');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'recording.jsonl');
  await record(path);
  const [head, ...entries] = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(head).toMatchObject({ recording: 1, qwen_version: '1.2.3', started_at: expect.stringMatching(/Z$/) });
  expect(entries.map((entry) => Object.keys(entry)[1])).toEqual(['out', 'in', 'out', 'out', 'in', 'out', 'exit']);
  expect(entries[4]).toMatchObject({ in: 'not JSON \u0000' });
  const times = entries.map((entry) => entry.t);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('never overwrites an existing file', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'precious');
  writeFileSync(path, 'precious');
  await expect(record(path)).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(path) });
  expect(readFileSync(path, 'utf8')).toBe('precious');
  await expect(record(join(folder.path, 'no', 'folder'))).rejects.toMatchObject({ code: 'storage_unwritable' });
});

test('a replay answers the current host with the recorded lines', async () => {
  verifies('GAP-56');
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'recording.jsonl');
  await record(path);
  const today = '{"type":"control_request","request_id":"now","request":{"subtype":"initialize"}}';
  expect(await play(path, [today, 'x'])).toEqual({
    exitCode: 3,
    said: '{"hello":1}\n{"type":"control_response","response":{"request_id":"now"}}\n{"more":"\u2028"}\n{"last":true}\n',
  });
});

test('output recorded after a host line waits for such a line, and continues if none can follow', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'recording.jsonl');
  await record(path);
  const input = new PassThrough();
  const output = new PassThrough();
  const writer = new LineWriter(output);
  const playing = replay({ path, input, writer, timing: 'instant' });
  const [first] = (await output[Symbol.asyncIterator]().next()).value.toString().split('\n');
  expect(first).toBe('{"hello":1}');
  input.end();
  expect(await playing).toBe(3);
  await expect(play(path, [])).resolves.toMatchObject({ exitCode: 3 });
});

test('an incomplete recording plays to its end and exits with code 1', async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'recording.jsonl');
  await record(path);
  const torn = readFileSync(path, 'utf8').trimEnd().slice(0, -5);
  writeFileSync(path, torn);
  expect(await play(path, [])).toMatchObject({ exitCode: 1, said: expect.stringContaining('"last"') });
});

test.each([
  ['no file', undefined],
  ['no recording', '{"type":"user"}\n'],
  ['nothing', ''],
  ['a recording of tomorrow', '{"recording":99,"started_at":"x"}\n'],
  ['a line that is no entry', '{"recording":1,"started_at":"x"}\n{"t":0,"out":7}\n{"t":0,"exit":0}\n'],
])('%s is refused by name', async (_what, content) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'recording.jsonl');
  if (content !== undefined) writeFileSync(path, content);
  await expect(play(path, [])).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining(path) });
});
