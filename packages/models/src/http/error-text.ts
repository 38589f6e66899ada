import { isJsonObject } from '@qwen/protocol';
import * as z from 'zod/mini';
import { lenient } from '../json.js';

/** Limit of quoted provider text, in UTF-8 bytes. */
const MAX_TEXT_BYTES = 1_700;

export interface Problem {
  /** At most 1,700 bytes; not empty. */
  readonly message: string;
  readonly code: string | undefined;
  readonly status: number | undefined;
  /** The delay in the body. */
  readonly retryAfterSeconds: number | undefined;
}

const word = lenient(z.union([z.string(), z.number()]));
/** What gateways call the message and the code, the usual name first. */
const MESSAGES = ['message', 'msg', 'error_msg', 'error_message', 'errorMessage', 'errmsg', 'err_msg'] as const;
const CODES = ['code', 'error_code', 'errorCode', 'errcode', 'err_code'] as const;

const errorObjectSchema = z.object({
  type: word,
  status: word,
  /** The member of the request that is meant. */
  param: lenient(z.string()),
  details: lenient(z.array(z.object({ retryDelay: word, reason: word }))),
  /** OpenRouter: the answer of the provider behind it. */
  metadata: lenient(z.object({ raw: lenient(z.string()), provider_name: lenient(z.string()) })),
});
/** `{error: {…}}`, `[{error: {…}}]`, `{error: "…"}`, `{message}` or `{detail}`. */
const bodySchema = z.object({
  error: z.optional(z.unknown()),
  detail: z.optional(z.unknown()),
  /** MiniMax. */
  base_resp: lenient(z.object({ status_msg: lenient(z.string()) })),
});

/** Accepts any text; never throws. */
export function readProblem(body: string): Problem {
  const json = parseJson(body);
  return json === undefined ? plainProblem(body) : problemOf(json);
}

/** Accepts any value; never throws. */
export function problemOf(json: unknown): Problem {
  const root = Array.isArray(json) ? json[0] : json;
  const outer = bodySchema.safeParse(root);
  const inner = outer.success
    ? (outer.data.error ?? outer.data.detail ?? messageOf(outer.data.base_resp) ?? root)
    : root;
  const parsed = errorObjectSchema.safeParse(inner);
  if (!parsed.success) return plainProblem(typeof inner === 'string' ? inner : JSON.stringify(json));
  const { type, status, param, details, metadata } = parsed.data;
  const { message, code } = namedOf(inner);
  const reason = details?.find((detail) => detail.reason)?.reason;
  const delay = details?.find((detail) => detail.retryDelay)?.retryDelay;
  const own = message ?? JSON.stringify(inner);
  const { raw, provider_name: provider } = metadata ?? {};
  const text = raw ? `${own} (${provider ? `${provider}: ` : ''}${readProblem(raw).message})` : own;
  return {
    message: cutText(param && !text.includes(param) ? `${text} (parameter ${param})` : text),
    code: [reason, code, type, status].find((value) => typeof value === 'string' && value !== '') as string | undefined,
    status: [code, status].map(Number).find((value) => value >= 400 && value < 600),
    retryAfterSeconds: typeof delay === 'string' ? secondsOf(delay) : undefined,
  };
}

export interface NamedProblem {
  readonly message: string | undefined;
  /** Neither empty nor 0. */
  readonly code: string | number | undefined;
}

/** The message and code of an error, by any of their names. */
export function namedOf(error: unknown): NamedProblem {
  if (!isJsonObject(error)) return { message: undefined, code: undefined };
  const message = MESSAGES.map((name) => error[name]).find((value) => typeof value === 'string' && value !== '');
  const code = CODES.map((name) => error[name]).find(
    (value) => (typeof value === 'string' && value !== '0') || typeof value === 'number',
  );
  return { message: message as string | undefined, code: (code || undefined) as string | number | undefined };
}

function messageOf(base: z.output<typeof bodySchema>['base_resp']): string | undefined {
  return base?.status_msg || undefined;
}

/** Truncates at a character boundary. */
export function cutText(text: string): string {
  if (text.length * 3 <= MAX_TEXT_BYTES) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(MAX_TEXT_BYTES));
  return read === text.length ? text : `${text.slice(0, read)}…`;
}

function plainProblem(text: string): Problem {
  return { message: cutText(readableText(text)), code: undefined, status: undefined, retryAfterSeconds: undefined };
}

/** Keeps only the title of an HTML page. */
function readableText(text: string): string {
  if (!/^\s*<(!doctype|html|head|body)/i.test(text)) return text.trim() || 'the response has no body';
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1]?.trim();
  return title ? `an HTML page, "${title}"` : 'an HTML page';
}

/** For example `34.07s`, as Google sends it. */
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
