import { calls, says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const edit = (content: string) => calls({ name: 'write_file', input: { file_path: 'a.txt', content } });

test('Esc Esc goes back to before a prompt: the files, the conversation and the prompt to edit', async () => {
  await using terminal = await openTerminal({
    model: [edit('one\n'), says('Wrote one'), edit('two\n'), says('Wrote two'), says('After')],
    args: ['--approval-mode=yolo'],
    rows: 30,
    prepare: async (workspace) => void (await workspace.write('project/a.txt', 'zero\n')),
  });
  await terminal.until(READY);
  await terminal.send('First prompt');
  await terminal.until((screen) => /Wrote one\s+\d+ s ·/.test(screen));
  await terminal.send('Second prompt');
  await terminal.until((screen) => /Wrote two\s+\d+ s ·/.test(screen));
  terminal.press('escape');
  await terminal.until('Press Escape again to rewind');
  terminal.press('escape');
  await terminal.until('❯ Second prompt');
  terminal.press('enter');
  const preview = await terminal.until((screen) => screen.includes('Restore conversation and files'));
  expect(preview).toContain('This changes 1 file (+1 -1 lines):');
  expect(preview).toContain('a.txt');
  terminal.press('enter');
  await terminal.until('The conversation was rewound.');
  await terminal.until('> Second prompt');
  expect(await terminal.workspace.read('project/a.txt')).toBe('one\n');
  terminal.type('!');
  terminal.press('enter');
  await untilFree(terminal, 'After');
  const asked = terminal.model.requests.at(-1)?.messages.filter(({ role }) => role === 'user');
  expect(asked?.map(({ content }) => content)).toEqual(['First prompt', 'Second prompt!']);
});
