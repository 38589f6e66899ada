import { startByteServer, verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { openCliFixture, prompt, RESULT, STOP, textChunk } from './cli-fixture.js';

const FAMILY = '👩‍👩‍👧';
const TEXT = `é漢${FAMILY} end`;

/** A lone surrogate or its replacement. */
const NO_CHARACTER = /\p{Surrogate}|\ufffd/u;

/** The words of the pieces that arrived, in order. */
const piecesOf = (lines: readonly { json: Record<string, unknown> | undefined }[]) =>
  lines
    .map(({ json }) => (json as { event?: { delta?: { text?: string } } })?.event?.delta?.text ?? '')
    .filter((piece) => piece !== '');

/** Each byte on its own. */
const bytesOf = (text: string) => Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte));
/** One piece per UTF-16 unit; surrogates are written as escapes. */
const halvesOf = (text: string) => Array.from({ length: text.length }, (_, at) => textChunk(text.charAt(at)));

test.each([
  ['cut between any two bytes', [...bytesOf(textChunk(TEXT)), STOP]],
  ['whose pieces end in the middle of a character', [...halvesOf(TEXT), STOP]],
  ['cut both ways', [...bytesOf(halvesOf(TEXT).join('')), STOP]],
])('a stream %s gives whole characters, and put together exactly the answer', async (_what, chunks) => {
  verifies('GAP-08');
  await using server = await startByteServer([{ chunks }]);
  await using fixture = await openCliFixture();
  const env = { ...fixture.env, OPENAI_BASE_URL: `${server.url}/v1` };
  const agent = await fixture.startMachine(['--include-partial-messages'], { env });
  agent.send(prompt('hi'));
  expect(await agent.next(RESULT)).toMatchObject({ result: TEXT });
  const pieces = piecesOf(agent.lines);
  expect(pieces.join('')).toBe(TEXT);
  expect(pieces.filter((piece) => NO_CHARACTER.test(piece))).toEqual([]);
  expect(agent.lines.filter(({ text }) => NO_CHARACTER.test(text))).toEqual([]);
});
