import { readFile } from 'node:fs/promises';
import { calls, says } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { hasTmux, SHELL, TmuxPane } from './tmux-fixture.js';

const READY = 'Type a prompt';
const PARAGRAPHS = Array.from({ length: 20 }, (_, index) => `Paragraph ${index} has some words in it.`);
const LONG = Array.from({ length: 200 }, (_, index) => `word${index}`).join(' ');

describe.runIf(hasTmux)('in tmux', () => {
  test('a prompt, a permission, an edit and an answer survive a resized window without loss or repetition', async () => {
    await using pane = await TmuxPane.open({
      model: [
        calls({ name: 'read_file', input: { file_path: 'colour.ts' } }),
        calls({ name: 'edit', input: { file_path: 'colour.ts', old_string: 'grey', new_string: 'gray' } }),
        says(PARAGRAPHS.join('\n\n')),
      ],
      prepare: async (workspace) => void (await workspace.write('project/colour.ts', "const colour = 'grey';\n")),
    });
    await pane.send('qwen');
    await pane.until(READY);
    await pane.send('Use American English');
    const asked = await pane.until('Enter or number');
    expect(asked).toContain('Edit this file?');
    expect(asked).toMatch(/-.*'grey'/);
    expect(asked).toMatch(/\+.*'gray'/);
    await pane.press('1');
    await pane.until(/Paragraph 19[^]*Type a prompt/);
    expect(await readFile(pane.workspace.resolve('project/colour.ts'), 'utf8')).toBe("const colour = 'gray';\n");

    await pane.resize(60, 16);
    await pane.until(/Paragraph 19[^]*Type a prompt/);
    await pane.type('still here');
    await pane.until('> still here');
    await pane.resize(100, 30);
    await pane.until('> still here');
    expect(await pane.scrollBack()).toBeGreaterThan(0);
    const history = await pane.history();
    for (const words of ['> Use American English', ...PARAGRAPHS]) expect(history.split(words)).toHaveLength(2);
    expect(history.split('> still here')).toHaveLength(2);

    await pane.press('C-c');
    await pane.until(READY);
    await pane.press('C-d');
    expect(await pane.until(/qwen --resume [^]*shell>/)).not.toContain(READY);
    expect(await pane.facts('#{cursor_flag} #{alternate_on}')).toBe('1 0');
  });

  test('can be suspended during an answer and continued later', async () => {
    await using pane = await TmuxPane.open({
      model: [says(LONG), (request) => says(`I know ${request.messages.length} messages`)],
      tokensPerSecond: 40,
    });
    await pane.send('qwen');
    await pane.until(READY);
    await pane.type('Count to');
    await pane.until('> Count to');
    await pane.press('C-z');
    await pane.until(/Stopped[^]*shell>/);
    await pane.send('echo $((40 + 2))');
    await pane.until(/^42$/m);
    await pane.send('fg');
    await pane.until(/fg[^]*> Count to/);
    await pane.type(' 200');
    await pane.until('> Count to 200');
    await pane.press('Enter');
    await pane.until('word3');
    await pane.press('Escape');
    await pane.until(/Request cancelled\.[^]*Type a prompt/);
    await pane.press('C-d');
    await pane.until(new RegExp(`qwen --resume [^]*${SHELL}`));

    await pane.send('clear; qwen --continue');
    await pane.until(/> Count to 200[^]*Type a prompt/);
    await pane.send('Go on');
    await pane.until(/I know \d+ messages/);
    expect(JSON.stringify(pane.model.requests.at(-1)?.messages)).toContain('Count to 200');
  });
});
