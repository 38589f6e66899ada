import { lastText, says, type TemporaryFolder, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { COMMAND, chat, openCliFixture, SUMMARY, startLines } from '../openai/openai-fixture.js';
import { untilAsked, untilFree } from './question-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

/** The text of a screen without line breaks and frames. */
const wordsOf = (text: string): string => text.replaceAll(/[\s│]+/g, '');

test.each(['/nope', '/tools', '/hooks list', '/memory show'])(
  '%s prints the same in a terminal and for a host, without a model call',
  async (typed) => {
    verifies('A-28', 'F-13', 'F-21', 'J-13');
    await using fixture = await openCliFixture();
    const host = await startLines(fixture);
    host.send(chat(typed, { session_id: 's' }));
    const told = (await host.next(COMMAND)) as { result: { content: string } };
    await using terminal = await openTerminal({ rows: 50 });
    await terminal.until(READY);
    await terminal.send(typed);
    const [line = ''] = told.result.content.split('\n').filter((words) => words !== '');
    const shown = wordsOf(await untilFree(terminal, line.slice(0, 30)));
    expect(shown).toContain(wordsOf(told.result.content));
    expect(terminal.model.requests).toEqual([]);
  },
);

test('a file after an at sign produces the same prompt', async () => {
  verifies('A-28', 'F-02', 'F-05');
  const prompt = 'What is in @notes.txt?';
  await using fixture = await openCliFixture([says('Read')]);
  await fixture.workspace.write('notes.txt', 'the word is owl\n');
  const host = await startLines(fixture);
  host.send(chat(prompt, { session_id: 's' }));
  await host.next(SUMMARY);
  await using terminal = await openTerminal({
    model: [says('An owl')],
    prepare: async (workspace) => void (await workspace.write('project/notes.txt', 'the word is owl\n')),
  });
  await terminal.until(READY);
  terminal.type(`${prompt} `);
  await terminal.until(prompt);
  terminal.press('enter');
  await untilFree(terminal, 'An owl');
  const [told = '', typed = ''] = [fixture.model, terminal.model].flatMap(({ requests }) => requests.map(lastText));
  expect(typed).toContain('the word is owl');
  expect(typed.replace(`${prompt} `, prompt)).toBe(told);
});

test('completions after a slash are the same as for a host, in the same order', async () => {
  verifies('A-28');
  await using fixture = await openCliFixture();
  const host = await startLines(fixture);
  host.send({ type: 'command_hint_request', session_id: 's', trigger: 'slash', text: '/me', cursor: 3 });
  const answer = (await host.next({ type: 'result/command_hint' })) as { suggestions: { label: string }[] };
  const labels = answer.suggestions.map(({ label }) => label.replace('/', ''));
  expect(labels.length).toBeGreaterThan(0);
  await using terminal = await openTerminal({ rows: 40 });
  await terminal.until(READY);
  terminal.type('/me');
  const shown = await terminal.until(`› ${labels[0]}`);
  const places = labels.map((label) => shown.indexOf(` ${label} `));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});

test('the question shows the commands of a command file in full, and an approval lasts for the session', async () => {
  verifies('F-27');
  const command = 'touch made.txt && echo owl';
  await using terminal = await openTerminal({
    model: [(request) => says(`Heard ${lastText(request)}`)],
    prepare: async (workspace: TemporaryFolder) =>
      void (await workspace.write('home/.qwen/commands/show.toml', `prompt = "It says: !{${command}}"`)),
  });
  await terminal.until(READY);
  await terminal.send('/show');
  expect(await untilAsked(terminal, 'Run these commands?')).toContain(`$ ${command}`);
  terminal.type('2');
  await untilFree(terminal, 'owl');
  await terminal.send('/show');
  await terminal.until((screen) => screen.split('Heard').length === 3);
  expect(terminal.model.requests).toHaveLength(2);
});
