import type { LineProcess, LineProcessOptions } from '@qwen/testkit';
import { type CliFixture, openCliFixture } from '../cli-fixture.js';

export { openCliFixture };

export const LINES = ['--input-format', 'stream-json', '--output-format', 'stream-json'];
export const CHUNKS = ['--input-format', 'stream-json', '--output-format', 'stream-chunk-json'];

/** Starts the program with lines of the openai dialect on both sides. */
export function startLines(
  fixture: CliFixture,
  args: readonly string[] = [],
  options: Partial<LineProcessOptions> = {},
): Promise<LineProcess> {
  return fixture.start([...LINES, ...args], options);
}

/** A chat request of a user. */
export const chat = (text: string, more: Readonly<Record<string, unknown>> = {}) => ({
  input: { origin: 'user', parts: [{ type: 'text', text }] },
  ...more,
});

/** The line that ends a turn, for `next`. */
export const SUMMARY = { object: 'chat.completion', metadata: { summary: {} } };
/** An answer of the model with these words. */
export const said = (content: string) => ({ object: 'chat.completion', choices: [{ message: { content } }] });
export const COMMAND = { type: 'result/command' };
/** A line that was refused. */
export const REFUSAL = { metadata: { error: {} } };
