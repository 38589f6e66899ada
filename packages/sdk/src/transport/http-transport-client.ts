import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { AgentError, type ErrorCode, fromWireError, wireErrorSchema } from '@qwen/protocol';
import { REMOTE_PATH } from '@qwen/protocol/server';
import * as z from 'zod/mini';
import type { ServerPlace } from './server-place.js';
import { findServerToken } from './server-token.js';

/** One request to the routes of one remote query. */
export interface RemoteRequest {
  readonly method: 'PUT' | 'GET' | 'POST' | 'DELETE';
  /** What follows the id of the query. Default: nothing. */
  readonly path?: string | undefined;
  /** Goes as JSON. */
  readonly body?: object | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A connection on which nothing moves for so long is lost. */
const SILENT_MS = 30_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

const errorBodySchema = z.object({ error: wireErrorSchema });

/** Speaks HTTP with one server about one remote query. It owns its connections; whoever made it ends it. */
export class RemoteClient {
  readonly #place: ServerPlace;
  readonly #base: string;
  /** Looked for when the first request needs it. */
  #token: Promise<string | undefined> | undefined;
  #agent: Agent | undefined;

  constructor(place: ServerPlace, id: string) {
    this.#place = place;
    this.#base = `${place.url.replace(/\/+$/, '')}${REMOTE_PATH}/${id}`;
  }

  /**
   * The JSON of an answer; undefined when it has no body. Errors: `server_unreachable` when there was no whole answer,
   * `unsupported_protocol` when it is not the one of a qwen server, and what the server says.
   */
  async ask(request: RemoteRequest): Promise<unknown> {
    const answer = await this.open(request);
    const text = await readBody(answer, request.signal);
    return text === '' ? undefined : this.#parse(text, answer);
  }

  /** The answer as it comes. Errors as those of {@link ask}. */
  async open({ method, path = '', body, headers, signal }: RemoteRequest): Promise<IncomingMessage> {
    this.#token ??= findServerToken(this.#place);
    const token = await this.#token;
    const answer = await this.#send(`${this.#base}${path}`, {
      method,
      headers: {
        ...headers,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(signal !== undefined && { signal }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { statusCode: status = 0 } = answer;
    if (status >= 200 && status < 300) return answer;
    throw await this.#refusal(answer, signal);
  }

  end(): void {
    this.#agent?.destroy();
  }

  async #send(
    url: string,
    { body, ...options }: RequestOptions & { readonly body?: string },
  ): Promise<IncomingMessage> {
    const { Agent, request } = url.startsWith('https:') ? await import('node:https') : await import('node:http');
    this.#agent ??= new Agent({ keepAlive: true });
    const agent = this.#agent;
    const sent = request(url, { ...options, agent, timeout: SILENT_MS });
    sent.end(body);
    return answerOf(sent).catch((cause: unknown) => {
      throw unreachable(this.#base, cause);
    });
  }

  async #refusal(answer: IncomingMessage, signal: AbortSignal | undefined): Promise<AgentError> {
    const { statusCode: status = 0 } = answer;
    const text = await readBody(answer, signal).catch(() => '');
    const parsed = errorBodySchema.safeParse(tryJson(text));
    const code = CODE_OF_STATUS.get(status) ?? (status >= 500 ? 'server_unreachable' : 'unsupported_protocol');
    if (parsed.success) return fromWireError(parsed.data.error, code);
    if (code === 'unsupported_protocol') return notOurs(this.#base, status);
    return new AgentError(code, `${this.#base} answered with status ${status}.`);
  }

  #parse(text: string, { statusCode = 0 }: IncomingMessage): unknown {
    const value = tryJson(text);
    if (value === undefined) throw notOurs(this.#base, statusCode);
    return value;
  }
}

function answerOf(sent: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    sent.once('response', resolve);
    sent.on('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`nothing moved for ${SILENT_MS / 1000} s`)));
  });
}

async function readBody(answer: IncomingMessage, signal: AbortSignal | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of answer) {
      if (!Buffer.isBuffer(chunk)) continue;
      bytes += chunk.length;
      if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
      chunks.push(chunk);
    }
  } catch (cause) {
    throw signal?.aborted === true ? signal.reason : unreachable(undefined, cause);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function unreachable(url: string | undefined, cause: unknown): AgentError {
  const why = cause instanceof Error && cause.message !== '' ? `: ${cause.message}` : '';
  return new AgentError(
    'server_unreachable',
    `The server${url === undefined ? '' : ` at ${url}`} gave no answer${why}`,
    {
      cause,
    },
  );
}

function notOurs(url: string, status: number): AgentError {
  const message = `What answers at ${url} with status ${status} is no qwen server that runs remote queries.`;
  return new AgentError('unsupported_protocol', message);
}

/** What a gateway before the server may answer in words of its own. */
const CODE_OF_STATUS: ReadonlyMap<number, ErrorCode> = new Map([
  [401, 'unauthorized'],
  [403, 'origin_refused'],
  [413, 'payload_too_large'],
  [429, 'overloaded'],
]);

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
