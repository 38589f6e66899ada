import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createTerminalReplay } from '@qwen/sdk/terminal';
import { calls, type ScriptedReply, says, verifies } from '@qwen/testkit';
import headless from '@xterm/headless';
import { expect, test } from 'vitest';
import { FORMATS, openLinesFixture } from './fixture.ts';

const run = promisify(execFile);

/** A turn with whatever a terminal shows: words, tools that work and fail, a change, a list, wide and combined characters. */
const REPLIES: readonly ScriptedReply[] = [
  {
    ...calls(
      { name: 'list_directory', input: { path: '.' } },
      { name: 'read_file', input: { file_path: 'missing.txt' }, id: 'call_2' },
    ),
    content: 'I look around: 漢字, naïve, 😀.\n',
  },
  calls(
    { name: 'edit', input: { file_path: 'poem.txt', old_string: 'rose', new_string: 'tulip' } },
    {
      name: 'todo_write',
      input: { todos: [{ id: '1', content: 'water it', status: 'pending' }] },
      id: 'call_2',
    },
    { name: 'run_shell_command', input: { command: "printf '\\033[32mgreen\\033[0m\\033[2Jplain\\n'" }, id: 'call_3' },
  ),
  says('A tulip is **not** a rose.\n\n- one\n- two'),
];

async function play(args: string): Promise<string> {
  await using fixture = await openLinesFixture(REPLIES);
  await fixture.workspace.write('poem.txt', 'A rose\nis red.\n');
  const command = `qwen ${args} --approval-mode yolo -p 'Change the flower.' 2>&1 < /dev/null`;
  const env = { ...fixture.env, FORCE_COLOR: '1' };
  const { stdout } = await run('sh', ['-c', command], { env, cwd: fixture.workspace.path });
  // Nothing of the two runs differs but the folder that they play in.
  return stdout.replaceAll(fixture.workspace.path, '/workspace');
}

/** Each row with the color and weight of its cells. */
async function screenOf(text: string): Promise<readonly string[]> {
  const terminal = new headless.Terminal({ cols: 100, rows: 60, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(text, resolve));
  const buffer = terminal.buffer.active;
  const rows = Array.from({ length: buffer.length }, (_, at) => {
    const line = buffer.getLine(at);
    const looks = Array.from({ length: 100 }, (_cell, column) => {
      const cell = line?.getCell(column);
      return cell === undefined || cell.getChars() === '' ? '' : `${cell.getFgColor()}${cell.isBold() ? 'b' : ''}`;
    });
    return `${line?.translateToString(true) ?? ''} | ${looks.join(',').replace(/,+$/, '')}`;
  });
  terminal.dispose();
  return rows;
}

test.each(FORMATS)('the lines of %s produce the same terminal screen as the text mode', async (format) => {
  verifies('A-21', 'A-29', 'D-03', 'D-14', 'D-45');
  const [typed, lines] = await Promise.all([play(''), play(`--output-format ${format}`)]);
  let replayed = '';
  const replay = createTerminalReplay({ write: (text) => (replayed += text) });
  for (const line of lines.trimEnd().split('\n')) replay.feed(line);
  const expected = await screenOf(typed.replaceAll('\n', '\r\n'));
  expect(expected.join('\n')).toContain('漢字');
  expect(expected.join('\n')).toContain('tulip');
  expect(await screenOf(replayed)).toEqual(expected);
});
