import { AgentError, type ErrorCode, fromWireError, messageOf, parseJson, wireErrorSchema } from '@qwen/protocol';
import { REMOTE_PATH } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import { findServerToken, type RemoteServer } from './find-server.js';
import { SilenceWatch } from './silence-watch.js';

export interface RemoteRequest {
  readonly method: 'PUT' | 'GET' | 'POST' | 'DELETE';
  readonly path?: string | undefined;
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SILENT_MS = 30_000;
/** Slower uploads count as lost. */
const UPLOAD_BYTES_PER_MS = 16;
const MAX_ANSWER_BYTES = 1024 * 1024;

const errorBodySchema = z.object({ error: wireErrorSchema });

export class RemoteClient {
  readonly #server: RemoteServer;
  readonly #base: string;
  #token: Promise<string | undefined> | undefined;

  constructor(server: RemoteServer, id: string) {
    this.#server = server;
    this.#base = `${server.url.replace(/\/+$/, '')}${REMOTE_PATH}/${id}`;
  }

  /** Undefined without a body. Rejects with `server_unreachable`, `unsupported_protocol` and the server's error. */
  async request({ body, signal, ...request }: RemoteRequest): Promise<unknown> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const uploadMs = Buffer.byteLength(json ?? '') / UPLOAD_BYTES_PER_MS;
    using watch = new SilenceWatch(SILENT_MS + uploadMs, signal);
    const answer = await this.#fetch({ ...request, signal: watch.signal }, json);
    const text = await this.#readBody(answer, watch);
    if (text === '') return undefined;
    const value = parseJson(text);
    if (value === undefined) throw this.#notQwen(answer.status);
    return value;
  }

  /** The caller cancels the body. */
  open(request: Omit<RemoteRequest, 'body'>): Promise<Response> {
    return this.#fetch(request);
  }

  async #fetch({ method, path = '', headers, signal }: RemoteRequest, json?: string): Promise<Response> {
    this.#token ??= findServerToken(this.#server);
    const token = await this.#token;
    const answer = await fetch(`${this.#base}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
      },
      // A token must not follow a redirect.
      redirect: 'manual',
      body: json ?? null,
      signal: signal ?? null,
    }).catch((cause: unknown) => {
      throw this.#unreachable(cause);
    });
    if (answer.ok) return answer;
    throw await this.#refusal(answer);
  }

  async #refusal(answer: Response): Promise<AgentError> {
    const { status } = answer;
    using watch = new SilenceWatch(SILENT_MS);
    const text = await this.#readBody(answer, watch).catch(() => '');
    const parsed = errorBodySchema.safeParse(parseJson(text));
    const code = CODE_OF_STATUS.get(status) ?? (status >= 500 ? 'server_unreachable' : 'unsupported_protocol');
    if (parsed.success) return fromWireError(parsed.data.error, code);
    if (code === 'unsupported_protocol') return this.#notQwen(status);
    return new AgentError(code, `${this.#base} answered with status ${status}.`);
  }

  async #readBody(answer: Response, watch: SilenceWatch): Promise<string> {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    try {
      for await (const chunk of answer.body ?? []) {
        watch.restart();
        bytes += chunk.length;
        if (bytes > MAX_ANSWER_BYTES) throw new Error(`the answer is longer than ${MAX_ANSWER_BYTES} bytes`);
        chunks.push(chunk);
      }
    } catch (cause) {
      throw this.#unreachable(cause);
    }
    return Buffer.concat(chunks).toString('utf8');
  }

  #unreachable(cause: unknown): AgentError {
    const message = `No complete answer from the server at ${this.#base} (${reasonOf(cause)}). Is it running?`;
    return new AgentError('server_unreachable', message, { cause });
  }

  #notQwen(status: number): AgentError {
    const message = `${this.#base} answered with status ${status} and is not a qwen server. Check the option server.url.`;
    return new AgentError('unsupported_protocol', message);
  }
}

/** For answers of a proxy in front of the server. */
const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'origin_refused'],
  [413, 'payload_too_large'],
  [429, 'overloaded'],
]);

/** `fetch` wraps system errors in a TypeError. */
function reasonOf(thrown: unknown): string {
  const { cause } = thrown instanceof Error ? thrown : {};
  const error: unknown = cause ?? thrown;
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string')
    return error.code;
  return messageOf(error);
}
