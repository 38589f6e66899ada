import { AgentError, ERROR_CODES, type ErrorCode } from '@qwen/protocol';
import { CHAT_API, chatErrorSchema, PAGE_API } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import { type SseFrame, SseReader } from './sse-reader.js';

const API = { ...CHAT_API, ...PAGE_API };
export type Path = keyof typeof API;
export type RequestOf<For extends Path> = z.input<(typeof API)[For]['request']>;
export type ResponseOf<For extends Path> = z.output<(typeof API)[For]['response']>;

/** Holds the token for the lifetime of the tab, and never in a URL. */
export interface TokenSource {
  readonly token: string | undefined;
}

export interface PostOptions {
  readonly signal?: AbortSignal | undefined;
  /** Makes it safe to repeat a request that got no response. */
  readonly idempotencyKey?: string | undefined;
}

export interface StreamOptions {
  readonly signal: AbortSignal;
  /** Fail after this time without any data, comments included, in milliseconds. Default 45,000. */
  readonly maxSilenceMs?: number;
}

/**
 * The client of the page's own server. Errors of all methods: those of the server; `unauthorized` without the right token;
 * `channel_closed` if it is unreachable or the response is incomplete.
 */
export class ServerClient {
  readonly #base: URL;
  readonly #tokens: TokenSource;

  constructor(base: URL, tokens: TokenSource) {
    this.#base = base;
    this.#tokens = tokens;
  }

  async post<For extends Path>(path: For, body: RequestOf<For>, options: PostOptions = {}): Promise<ResponseOf<For>> {
    const response = await this.#send(path, body, options);
    const received: unknown = await response.json().catch(connectionLost);
    const { data, success } = z.safeParse(API[path].response, received);
    if (!success) throw new AgentError('invalid_message', `The server sent an unexpected response to ${path}.`);
    // TypeScript cannot derive the type from the path.
    return data as ResponseOf<For>;
  }

  /** Yields the events of a streamed response. */
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
      const response = await this.#send(path, body, { signal });
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
      // Closes the connection if the caller stops early.
      silence.abort();
    }
  }

  async #send(path: Path, body: unknown, { signal, idempotencyKey }: PostOptions): Promise<Response> {
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

function unreachable(cause: unknown): AgentError {
  return new AgentError('channel_closed', 'Could not reach the server.', { cause });
}

function connectionLost(cause: unknown): never {
  throw new AgentError('channel_closed', 'The connection to the server was lost.', { cause });
}

async function readError(response: Response): Promise<AgentError> {
  const body: unknown = await response.json().catch(() => undefined);
  const { data } = z.safeParse(chatErrorSchema, body);
  const code = data?.code;
  const message = data?.message ?? `The server responded with status ${response.status}.`;
  return new AgentError(isErrorCode(code) ? code : codeOfStatus(response.status), message);
}

function isErrorCode(code: string | undefined): code is ErrorCode {
  return code !== undefined && Object.hasOwn(ERROR_CODES, code);
}

function codeOfStatus(status: number): ErrorCode {
  if (status === 401) return 'unauthorized';
  if (status === 404) return 'session_not_found';
  return status >= 500 ? 'channel_closed' : 'invalid_payload';
}
