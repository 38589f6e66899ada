import { startByteServer } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openTerminal, READY } from './terminal-fixture.js';

const SIZES = [
  [60, 24],
  [60, 12],
  [100, 30],
  [50, 30],
  [80, 10],
  [40, 14],
  [120, 40],
  [119, 39],
  [61, 17],
  [62, 40],
  [30, 16],
  [80, 24],
] as const;

/** More than any of these screens holds, so that the frame is at the end of the screen. */
const BEFORE = Array.from({ length: 30 }, (_, index) => `Before ${index}.\n\n`).join('');
const paragraphOf = (index: number) => `Paragraph ${index} has some words, and some more of them.`;

const chunkOf = (delta: object, finish_reason: string | null = null) => {
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'scripted' };
  return `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
};
const says = (content: string) => chunkOf({ content });

const timesIn = (text: string, part: string) => text.split(part).length - 1;

test('twelve resizes between the paragraphs of an answer lose nothing and leave no artifacts', async () => {
  const gates = SIZES.map(() => Promise.withResolvers<string>());
  await using server = await startByteServer([
    {
      chunks: [
        says(`${BEFORE}${paragraphOf(0)}\n\n`),
        ...gates.map(({ promise }) => promise),
        `${chunkOf({}, 'stop')}data: [DONE]\n\n`,
      ],
    },
  ]);
  await using terminal = await openTerminal({
    env: { OPENAI_BASE_URL: `${server.url}/v1`, TERM_PROGRAM: 'vscode' },
  });
  await terminal.until(READY);
  await terminal.send('Tell');
  for (const [index, [columns, rows]] of SIZES.entries()) {
    await terminal.untilPrinted(new RegExp(`Paragraph ${index} has`));
    await terminal.resizeAtRest(columns, rows);
    gates[index]?.resolve(says(`${paragraphOf(index + 1)}\n\n`));
  }
  await terminal.until(
    (shown) => /\d s · .* out/.test(shown) && shown.includes(READY) && !shown.includes('Esc to interrupt'),
  );
  const shown = terminal.scrollback;
  const words = shown.replaceAll(/\s+/g, ' ');
  const paragraphs = [0, ...SIZES.map((_, index) => index + 1)].map(paragraphOf);
  expect(paragraphs.map((paragraph) => timesIn(words, paragraph))).toEqual(paragraphs.map(() => 1));
  const frame = {
    answering: timesIn(shown, 'Answering'),
    prompts: timesIn(shown, READY),
    footers: timesIn(shown, 'scripted'),
  };
  expect(frame).toEqual({ answering: 0, prompts: 1, footers: 1 });
  expect(shown.match(/^─+$/gm)).toHaveLength(2);
});
