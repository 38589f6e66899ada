import { AgentError, ERROR_CODES, type ErrorCode } from '@qwen/protocol';
import { CHAT_API, chatErrorSchema, PAGE_API } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import { type SseFrame, SseReader } from './sse-reader.js';

const API = { ...CHAT_API, ...PAGE_API };
export type Path = keyof typeof API;
export type RequestOf<For extends Path> = z.input<(typeof API)[For]['request']>;
export type AnswerOf<For extends Path> = z.output<(typeof API)[For]['answer']>;

/** Where the token of the server is kept: never in an address, and no longer than the tab. */
export interface TokenSource {
  readonly token: string | undefined;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** The stream is broken when nothing, not even a comment, came for so long, in milliseconds. Default 45,000. */
  readonly maxSilenceMs?: number;
  /** The same again is the same request: it may be sent once more when nobody knows whether it came through. */
  readonly idempotencyKey?: string;
}

/**
 * The server that the page came from. Errors of all verbs: those of the server under their own codes; `unauthorized`
 * when it wants a token; `channel_closed` when it cannot be reached or its answer breaks off.
 */
export class ServerClient {
  readonly #base: URL;
  readonly #tokens: TokenSource;

  constructor(base: URL, tokens: TokenSource) {
    this.#base = base;
    this.#tokens = tokens;
  }

  /** Sends a request and gives its answer. */
  async post<For extends Path>(path: For, body: RequestOf<For>, signal?: AbortSignal): Promise<AnswerOf<For>> {
    const response = await this.#send(path, body, { signal });
    const answer: unknown = await response.json().catch(brokenOff);
    const { data, success } = z.safeParse(API[path].answer, answer);
    if (!success) throw new AgentError('invalid_message', `The answer to ${path} is not understood.`);
    // Which schema it was is known from the path, which the compiler does not follow.
    return data as AnswerOf<For>;
  }

  /** Sends a request that is answered with events; ends with the stream. */
  async *stream<For extends Path>(path: For, body: RequestOf<For>, options: StreamOptions): AsyncGenerator<SseFrame> {
    const silence = new AbortController();
    const signal = AbortSignal.any([options.signal, silence.signal]);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const expectBytes = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), options.maxSilenceMs ?? 45_000);
    };
    try {
      expectBytes();
      const response = await this.#send(path, body, { signal, idempotencyKey: options.idempotencyKey });
      const frames = new SseReader();
      const bytes = response.body?.getReader();
      for (let next = await bytes?.read(); next?.done === false; next = await bytes?.read()) {
        expectBytes();
        yield* frames.push(next.value);
      }
    } catch (error) {
      throw AgentError.is(error) ? error : unreachable(error);
    } finally {
      clearTimeout(timer);
      // Lets go of the connection when the reader has had enough.
      silence.abort();
    }
  }

  async #send(path: Path, body: unknown, { signal, idempotencyKey }: SendOptions): Promise<Response> {
    const { token } = this.#tokens;
    const response = await fetch(new URL(`.${path}`, this.#base), {
      method: 'POST',
      body: JSON.stringify(body),
      headers: {
        'content-type': 'application/json',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      signal: signal ?? null,
      cache: 'no-store',
      credentials: 'omit',
      redirect: 'error',
    }).catch((error: unknown) => {
      throw unreachable(error);
    });
    if (!response.ok) throw await readError(response);
    return response;
  }
}

interface SendOptions {
  readonly signal: AbortSignal | undefined;
  readonly idempotencyKey?: string | undefined;
}

function unreachable(cause: unknown): AgentError {
  return new AgentError('channel_closed', 'The server cannot be reached.', { cause });
}

function brokenOff(cause: unknown): never {
  throw new AgentError('channel_closed', 'The answer of the server broke off.', { cause });
}

async function readError(response: Response): Promise<AgentError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = z.safeParse(chatErrorSchema, body);
  const told = data?.code;
  const message = data?.message ?? `The server answered with status ${response.status}.`;
  return new AgentError(isErrorCode(told) ? told : codeOfStatus(response.status), message);
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERROR_CODES, code);
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 404) return 'session_not_found';
  return status >= 500 ? 'channel_closed' : 'invalid_payload';
}
