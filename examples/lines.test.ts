import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  calls,
  hasPrograms,
  isolatedEnvironment,
  programOnPath,
  type ScriptedReply,
  says,
  startScriptedModel,
  temporaryFolder,
  verifies,
} from '@qwen/testkit';
import { expect, test } from 'vitest';

// The examples for other languages.

const run = promisify(execFile);
const here = import.meta.dirname;
const CLI = join(here, '..', 'packages', 'cli', 'bin', 'qwen.js');

/** Runs a program in a temporary folder, with `qwen` on the PATH and a scripted model. */
async function runExample(command: string, args: readonly string[], replies: readonly ScriptedReply[]) {
  await using workspace = await temporaryFolder();
  await using model = await startScriptedModel(replies);
  const env = isolatedEnvironment(workspace.resolve('home'), model.env);
  env['PATH'] = await programOnPath(workspace, 'qwen', CLI);
  const { stdout, stderr } = await run(command, args, { cwd: workspace.path, env });
  const file = await workspace.read('hello.txt').catch(() => undefined);
  return { lines: stdout.split('\n'), stderr, file, requests: [...model.requests] };
}

test('13-raw-lines: a POSIX shell reads the lines', async () => {
  verifies('A-20', 'A-19', 'A-13', 'A-18', 'B-17', 'E-02', 'O-53');
  const { lines, requests } = await runExample(
    'sh',
    [join(here, '13-raw-lines.sh')],
    [
      says('Hello!'),
      says('Hel lo!'),
      says('Noted.'),
      (request) => says(JSON.stringify(request.messages).includes('Minka') ? 'Minka.' : 'I forgot.'),
    ],
  );
  const [whole = -1, pieces = -1, typed = -1, session = -1] = lines.flatMap((line, at) =>
    line.startsWith('== ') ? [at] : [],
  );
  const objectsOf = (from: number, to: number) => lines.slice(from + 1, to).map((line) => JSON.parse(line).object);
  expect(new Set(objectsOf(whole, pieces))).toEqual(new Set(['chat.completion']));
  expect(new Set(objectsOf(pieces, typed))).toEqual(new Set(['chat.completion.chunk']));
  expect(lines.slice(typed, session).join('\n')).toContain('"type":"result/command"');
  const read = lines.slice(session + 1).filter((line) => line !== '');
  expect(read.filter((line) => !line.startsWith('result/'))).toEqual([
    'ready',
    'Noted.',
    'end of turn',
    'Minka.',
    'end of turn',
  ]);
  // Neither waits for a turn.
  expect(read).toEqual(expect.arrayContaining(['result/command', 'result/heartbeat']));
  expect(requests).toHaveLength(4);
});

test.runIf(hasPrograms('python3'))(
  '14-python-client: 60 lines of standard Python do everything that a host does',
  async () => {
    verifies('S-09', 'S-26', 'E-27', 'J-02', 'F-06', 'H-02', 'O-53');
    const { lines, stderr, file } = await runExample(
      'python3',
      [join(here, '14-python-client.py')],
      [
        calls({ name: 'write_file', input: { file_path: 'hello.txt', content: 'hello\n' } }),
        says('It is written: ✓ done.'),
      ],
    );
    expect(stderr).toBe('');
    expect(file).toBe('hello\n');
    expect(lines).toEqual(
      expect.arrayContaining(['[write_file: yes]', 'It is written: ✓ done.', '[1 tool calls]', '[heartbeat: ok]']),
    );
    expect(lines).toContain('[/stats: message]');
  },
);
