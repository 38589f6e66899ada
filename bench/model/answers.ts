import * as z from 'zod/mini';

export const scriptSchema = z.object({
  /** Number of deltas. Default 1. */
  deltas: z.optional(z.number()),
  /** Text of each delta, without characters that JSON escapes. Default `word `. */
  text: z.optional(z.string()),
  /** Milliseconds between deltas. Default: as fast as possible. */
  paceMs: z.optional(z.number()),
  /** Called once per prompt that contains {@link TOOL_WORD}. */
  tool: z.optional(z.object({ name: z.string(), input: z.unknown() })),
});

/** The script of the model. It is part of the base URL, so that the server is stateless. */
export type Script = z.infer<typeof scriptSchema>;

/** A prompt with this word makes the model call the tool. */
export const TOOL_WORD = 'use-the-tool';

const HEAD = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":';
const USAGE = '{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}';

const toEvent = (json: string): string => `data: ${json}\n\n`;
const toChunk = (delta: string, finishReason = 'null'): string =>
  toEvent(`${HEAD}[{"index":0,"delta":${delta},"finish_reason":${finishReason}}]}`);

export const OPENING = toChunk('{"role":"assistant","content":""}');

/** `text` must not need JSON escapes. */
export const toTextChunk = (text: string): string => toChunk(`{"content":"${text}"}`);

export const toEnding = (reason: 'stop' | 'tool_calls'): string =>
  `${toChunk('{}', `"${reason}"`)}${toEvent(`${HEAD}[],"usage":${USAGE}}`)}${toEvent('[DONE]')}`;

export function toToolAnswer(callId: string, { name, input }: NonNullable<Script['tool']>): string {
  const call = { index: 0, id: callId, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return `${OPENING}${toChunk(JSON.stringify({ tool_calls: [call] }))}${toEnding('tool_calls')}`;
}

/** Scans only the end of the body: parsing a growing history would add the server's cost to the figures. */
export function asksForTool(body: string): boolean {
  const tail = body.slice(body.lastIndexOf('"role":"'));
  return tail.startsWith('"role":"user"') && tail.slice(0, 1024).includes(TOOL_WORD);
}
