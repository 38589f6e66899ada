import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { calls, isolatedEnvironment, says, startLineProcess, startScriptedModel, temporaryFolder } from '@qwen/testkit';
import { expect, test } from 'vitest';

// Sessions that the program of qwen-code wrote are listed, shown and resumed.

const THEIRS = createRequire(import.meta.url).resolve('@qwen-code/qwen-code/cli.js');
const OURS = fileURLToPath(new URL('../../../packages/cli/bin/qwen.js', import.meta.url));

test('a session of qwen-code is listed and resumed', { timeout: 120_000 }, async () => {
  await using folder = await temporaryFolder();
  await folder.write('home/.keep', '');
  const path = await folder.write('notes.txt', 'The secret word is heron.\n');
  await using model = await startScriptedModel([
    ({ messages, tools }) => {
      if (tools === undefined) return says('nothing');
      const text = JSON.stringify(messages.at(-1));
      if (text.includes('Read the notes'))
        return calls({ name: 'read_file', input: { file_path: path, absolute_path: path } });
      return says(text.includes('heron') ? 'I have read them.' : 'Resumed.');
    },
  ]);
  const env = isolatedEnvironment(folder.resolve('home'), model.env);
  const run = async (program: string, ...args: readonly string[]) => {
    await using running = await startLineProcess({
      command: process.execPath,
      args: [program, ...args],
      env,
      cwd: folder.path,
    });
    running.endInput();
    expect(await running.exited).toMatchObject({ code: 0 });
    return running.lines.map(({ text }) => text).join('\n');
  };
  expect(await run(THEIRS, '-p', 'Read the notes', '--approval-mode', 'yolo')).toContain('I have read them.');

  const { sessions } = JSON.parse(await run(OURS, 'sessions', 'list', '--json')) as {
    readonly sessions: readonly { readonly session_id: string }[];
  };
  expect(sessions).toMatchObject([{ cwd: folder.path, first_prompt: 'Read the notes' }]);
  const [{ session_id: id } = { session_id: '' }] = sessions;
  expect(await run(OURS, 'sessions', 'list')).toMatch(/3 messages\s+Read the notes/);
  expect(await run(OURS, 'sessions', 'show', id)).toContain('I have read them.');
  expect(await run(OURS, '--resume', id, '-p', 'And now?')).toBe('Resumed.');
  const sent = JSON.stringify(model.requests.at(-1)?.messages);
  expect(sent).toContain('The secret word is heron.');
  expect(sent).toContain('And now?');
  expect(await run(OURS, '--continue', '-p', 'Again?')).toBe('Resumed.');
  expect(JSON.stringify(model.requests.at(-1)?.messages)).toContain('And now?');
});
