import * as z from 'zod/mini';

export const scriptSchema = z.object({
  /** Pieces of text that make an answer. Default 1. */
  deltas: z.optional(z.number()),
  /** What each piece says; it must need no escaping in JSON. Default `word `. */
  text: z.optional(z.string()),
  /** Milliseconds between two pieces; as fast as the socket takes them when missing. */
  paceMs: z.optional(z.number()),
  /** Called once for each prompt that holds {@link TOOL_WORD}. */
  tool: z.optional(z.object({ name: z.string(), input: z.unknown() })),
});

/**
 * What the model of a run answers. It travels in the path of the base URL, so the server keeps no state and one
 * server can answer many sessions at once.
 */
export type Script = z.infer<typeof scriptSchema>;

/** A prompt with this word makes the model call its tool before it answers. */
export const TOOL_WORD = 'use-the-tool';

const HEAD = '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"bench","choices":';
const USAGE = '{"prompt_tokens":100,"completion_tokens":10,"total_tokens":110}';

const toEvent = (json: string): string => `data: ${json}\n\n`;
const toChunk = (delta: string, finishReason = 'null'): string =>
  toEvent(`${HEAD}[{"index":0,"delta":${delta},"finish_reason":${finishReason}}]}`);

/** The first chunk of every answer. */
export const OPENING = toChunk('{"role":"assistant","content":""}');

/** One piece of text. `text` must need no escaping in JSON. */
export const toTextChunk = (text: string): string => toChunk(`{"content":"${text}"}`);

/** Ends an answer: reason, usage, end of stream. */
export const toEnding = (reason: 'stop' | 'tool_calls'): string =>
  `${toChunk('{}', `"${reason}"`)}${toEvent(`${HEAD}[],"usage":${USAGE}}`)}${toEvent('[DONE]')}`;

/** A whole answer that calls one tool. */
export function toToolAnswer(callId: string, { name, input }: NonNullable<Script['tool']>): string {
  const call = { index: 0, id: callId, type: 'function', function: { name, arguments: JSON.stringify(input) } };
  return `${OPENING}${toChunk(JSON.stringify({ tool_calls: [call] }))}${toEnding('tool_calls')}`;
}

/**
 * Whether the last message is a prompt that asks for the tool. It looks at the tail of the text only: parsing a
 * history that grows from turn to turn would put this server's own cost into the figures.
 */
export function asksForTool(body: string): boolean {
  const tail = body.slice(body.lastIndexOf('"role":"'));
  return tail.startsWith('"role":"user"') && tail.slice(0, 1024).includes(TOOL_WORD);
}
