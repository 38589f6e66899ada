import * as z from 'zod/mini';
import { lenient } from '../json.js';

/** How much of a provider's error text we repeat, in UTF-8 bytes (F62). */
const MAX_TEXT_BYTES = 1_900;

/** What a provider says went wrong. */
export interface Problem {
  /** At most 1,900 bytes, never empty. */
  readonly message: string;
  /** The provider's own code or type, if it gave one. */
  readonly code: string | undefined;
  /** The status that the body itself names, if any. */
  readonly status: number | undefined;
  /** Seconds that the body itself asks to wait, if any. */
  readonly retryAfterSeconds: number | undefined;
}

const word = lenient(z.union([z.string(), z.number()]));
const errorObjectSchema = z.object({
  message: z.optional(z.unknown()),
  code: word,
  type: word,
  status: word,
  details: lenient(z.array(z.object({ retryDelay: word, reason: word }))),
});
/** The shapes that providers use: `{error: {…}}`, `[{error: {…}}]`, `{error: "…"}`, `{message}`, `{detail}`. */
const bodySchema = z.object({ error: z.optional(z.unknown()), detail: z.optional(z.unknown()) });

/** Reads the body of an error answer, whatever it is made of; never throws. */
export function readProblem(body: string): Problem {
  const json = parseJson(body);
  return json === undefined ? plainProblem(body) : problemOf(json);
}

/** Reads an error that is already parsed, as it stands in a stream; never throws. */
export function problemOf(json: unknown): Problem {
  const root = Array.isArray(json) ? json[0] : json;
  const outer = bodySchema.safeParse(root);
  const inner = outer.success ? (outer.data.error ?? outer.data.detail ?? root) : root;
  const parsed = errorObjectSchema.safeParse(inner);
  if (!parsed.success) return plainProblem(typeof inner === 'string' ? inner : JSON.stringify(json));
  const { message, code, type, status, details } = parsed.data;
  const reason = details?.find((detail) => detail.reason)?.reason;
  const delay = details?.find((detail) => detail.retryDelay)?.retryDelay;
  return {
    message: cutText(typeof message === 'string' && message !== '' ? message : JSON.stringify(inner)),
    code: [reason, code, type, status].find((value) => typeof value === 'string' && value !== '') as string | undefined,
    status: [code, status].map(Number).find((value) => value >= 400 && value < 600),
    retryAfterSeconds: typeof delay === 'string' ? secondsOf(delay) : undefined,
  };
}

/** The text, cut to what an error message may hold and never in the middle of a character. */
export function cutText(text: string): string {
  if (text.length * 3 <= MAX_TEXT_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_TEXT_BYTES));
  return read === text.length ? text : `${text.slice(0, read)}…`;
}

function plainProblem(text: string): Problem {
  return { message: cutText(readableText(text)), code: undefined, status: undefined, retryAfterSeconds: undefined };
}

/** Of an HTML page only the title is worth repeating. */
function readableText(text: string): string {
  if (!/^\s*<(!doctype|html|head|body)/i.test(text)) return text.trim() || 'the answer has no body';
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page, "${title}"` : 'an HTML page';
}

/** Google writes durations as `34.07s`. */
function secondsOf(duration: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)s$/.exec(duration);
  return match === null ? undefined : Number(match[1]);
}

function parseJson(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}
