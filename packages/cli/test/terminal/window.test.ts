import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN } from '../cli-fixture.js';
import { openTerminal, READY } from './terminal-fixture.js';

const PARAGRAPHS = Array.from({ length: 10 }, (_, index) => `Paragraph ${index} has some words in it.`);

/** Shows it, and the whole frame below: what is half written when the size changes is drawn by no rule. */
const isWhole = (text: string) => (shown: string) => shown.includes(text) && shown.endsWith('scripted');

test('resizing the window during an answer loses and repeats nothing', async () => {
  await using terminal = await openTerminal({ model: [says(PARAGRAPHS.join('\n\n'))], tokensPerSecond: 12 });
  await terminal.until(READY);
  await terminal.send('Tell');
  await terminal.until(isWhole('Paragraph 1 '));
  terminal.resize(60, 18);
  await terminal.until(isWhole('Paragraph 3 '));
  terminal.resize(100, 30);
  await terminal.until(isWhole('Paragraph 5 '));
  terminal.resize(80, 24);
  await terminal.until((shown) => shown.includes('Paragraph 9 has some words in it.') && /\d s · .* out/.test(shown));
  const shown = terminal.scrollback;
  for (const paragraph of PARAGRAPHS) expect(shown.split(paragraph)).toHaveLength(2);
  expect(terminal.screen.split(READY)).toHaveLength(2);
});

test('a long answer scrolls completely, and the live area never fills the screen', async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index};`);
  await using terminal = await openTerminal({ model: [says(`\`\`\`\n${lines.join('\n')}\n\`\`\``)], rows: 12 });
  await terminal.until(READY);
  await terminal.send('Tell');
  await terminal.until((shown) => shown.includes('line 199;') && shown.includes(READY));
  for (const line of lines) expect(terminal.scrollback.split(line)).toHaveLength(2);
});

test('Ctrl-Z suspends to the shell, and fg resumes', async () => {
  await using terminal = await openTerminal({
    command: ['/bin/bash', '--norc', '-i'],
    env: { PS1: 'shell> ', QWEN: `${process.execPath} ${BIN}` },
  });
  await terminal.until('shell>');
  terminal.type('$QWEN\r');
  await terminal.until(READY);
  terminal.type('half a prom');
  await terminal.until('> half a prom');
  terminal.press('ctrl-z');
  await terminal.until(/Stopped/);
  await terminal.send('echo $((40 + 2))');
  await terminal.until(/^42$/m);
  await terminal.send('fg');
  await terminal.until((shown) => shown.lastIndexOf('> half a prom') > shown.lastIndexOf('fg'));
  terminal.type('pt');
  expect(await terminal.until('> half a prompt')).toContain('asks before changes');
});

test('Ctrl-L redraws the screen', async () => {
  await using terminal = await openTerminal({ model: [says('An answer')] });
  await terminal.until(READY);
  await terminal.send('Hi');
  await terminal.until((shown) => shown.includes('An answer') && shown.includes(READY));
  terminal.press('ctrl-l');
  const shown = await terminal.until((screen) => !screen.includes('An answer') && screen.includes(READY));
  expect(shown.split(READY)).toHaveLength(2);
});
