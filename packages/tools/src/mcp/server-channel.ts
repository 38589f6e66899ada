import type {
  JSONRPCMessage,
  PriorDiscovery,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import type { McpTransport } from './transports/create-transport.js';

/** The first revision without `initialize`. */
export const MODERN = '2026-07-28';
const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Holds the result as the server sent it. */
export const RAW = 'qwen/raw';
/** Prefix of methods that the library refuses to send. */
export const EXTENSION = 'qwen/extension/';

/** A server that has said nothing by then also gets `initialize`, in milliseconds. */
const PATIENCE_MS = 3000;
/** Far from those that the library counts from 0. Small servers understand only integers. */
const PROBE_IDS = { discover: 1_000_000_001, discoverAgain: 1_000_000_002, initialize: 1_000_000_003 } as const;
const MAX_EARLY_MESSAGES = 100;
const UNSUPPORTED_VERSION = -32022;
const INVALID_ANSWER = -32603;
/** Only a modern server sends these. */
const MODERN_ERRORS: readonly number[] = [-32020, -32021];

/** For the library, a valid result of each method whose content we validate, because servers differ. */
const VALID_RESULTS: ReadonlyMap<string, object> = new Map([
  ['tools/list', { tools: [], ttlMs: 0, cacheScope: 'private' }],
  ['prompts/list', { prompts: [], ttlMs: 0, cacheScope: 'private' }],
  ['resources/list', { resources: [], ttlMs: 0, cacheScope: 'private' }],
  ['resources/read', { contents: [], ttlMs: 0, cacheScope: 'private' }],
  ['prompts/get', { messages: [] }],
  ['tools/call', { content: [] }],
]);

const idSchema = z.union([z.string(), z.number()]);
const requestSchema = z.looseObject({
  id: idSchema,
  method: z.string(),
  params: z.optional(z.looseObject({ _meta: z.optional(z.record(z.string(), z.unknown())) })),
});
const errorSchema = z.looseObject({
  code: z.number(),
  message: z.catch(z.string(), ''),
  data: z.optional(z.unknown()),
});
const answerSchema = z.looseObject({
  id: idSchema,
  result: z.optional(z.record(z.string(), z.unknown())),
  error: z.optional(errorSchema),
});
const supportedSchema = z.object({ supported: z.array(z.string()) });
type Answer = z.output<typeof answerSchema>;
type RpcError = z.output<typeof errorSchema>;

export interface Hello {
  readonly clientInfo: { readonly name: string; readonly version: string };
  readonly capabilities: object;
  /** The latest version that is agreed on by `initialize`. */
  readonly legacyVersion: string;
}

/**
 * Between the client library and a transport. Finds the era of a server in the process that stays, passes lists and
 * results on unchecked, because the library drops all of a list for one invalid entry, and lets through what it
 * refuses: the tasks extension.
 */
export class ServerChannel implements Transport {
  readonly #inner: McpTransport;
  readonly #methods = new Map<RequestId, string>();
  /** Arrived before the client listened. */
  readonly #early: JSONRPCMessage[] = [];
  #probing: ((message: JSONRPCMessage) => boolean) | undefined;
  #isStarted = false;
  #initialized: Record<string, unknown> | undefined;
  #wasSilent = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(inner: McpTransport) {
    this.#inner = inner;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message) => this.#receive(message);
  }

  /** Whether the server did not answer when it was asked for its era. */
  get wasSilent(): boolean {
    return this.#wasSilent;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  async start(): Promise<void> {
    if (!this.#isStarted) await this.#inner.start();
    this.#isStarted = true;
    // The client listens only after this resolved.
    setImmediate(() => {
      for (const message of this.#early.splice(0)) this.#receive(message);
    });
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const request = z.safeParse(requestSchema, message).data;
    if (request === undefined) return this.#inner.send(message, options);
    if (request.method === 'initialize' && this.#initialized !== undefined) {
      const answer = { jsonrpc: '2.0' as const, id: request.id, result: this.#initialized };
      queueMicrotask(() => this.onmessage?.(answer));
      return;
    }
    if (request.params?._meta?.[VERSION_KEY] !== undefined) this.#methods.set(request.id, request.method);
    if (!request.method.startsWith(EXTENSION)) return this.#inner.send(message, options);
    const method = request.method.slice(EXTENSION.length);
    return this.#inner.send({ ...request, jsonrpc: '2.0', method }, options);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /**
   * Only an answer reveals the era. Rejects with `mcp_failed`, or with the error of the transport;
   * `data.exitedAtDiscover`: the server read the question and ended, as some do on any request before `initialize`.
   */
  async probe({ clientInfo, capabilities, legacyVersion }: Hello): Promise<PriorDiscovery> {
    const meta = {
      [VERSION_KEY]: MODERN,
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': capabilities,
    };
    const answers = new Map<RequestId, (answer: Answer) => void>();
    const ended = Promise.withResolvers<never>();
    ended.promise.catch(() => undefined);
    const ask = (id: number, method: string, params: object): Promise<Answer> => {
      const answer = new Promise<Answer>((resolve) => answers.set(id, resolve));
      this.#inner.send({ jsonrpc: '2.0', id, method, params: { ...params } }).catch((thrown: unknown) => {
        const refusal = refusalOf(thrown);
        if (refusal === undefined) ended.reject(thrown);
        else answers.get(id)?.({ id, error: refusal });
      });
      return answer;
    };
    this.#probing = (message) => {
      const answer = 'method' in message ? undefined : z.safeParse(answerSchema, message).data;
      const take = answer === undefined ? undefined : answers.get(answer.id);
      if (answer !== undefined) take?.(answer);
      return take !== undefined;
    };
    const { onclose } = this.#inner;
    this.#inner.onclose = () => {
      const { message = 'The MCP server closed the connection.', data } = this.#inner.failure ?? {};
      // What is left may also be the later `initialize`.
      const exitedAtDiscover = data?.['leftInput'] !== true || answers.has(PROBE_IDS.initialize);
      ended.reject(new AgentError('mcp_failed', message, { data: { exitedAtDiscover } }));
      onclose?.();
    };
    let timer: NodeJS.Timeout | undefined;
    try {
      await this.#inner.start();
      this.#isStarted = true;
      const discovered = ask(PROBE_IDS.discover, 'server/discover', { _meta: meta });
      const silence = new Promise<undefined>((resolve) => {
        // Over HTTP each request has an answer; one that waits for a sign-in must not start another.
        if (this.#inner.hasPerRequestStream !== true) timer = setTimeout(() => resolve(undefined), PATIENCE_MS);
      });
      const first = await Promise.race([discovered, silence, ended.promise]);
      if (first !== undefined && !supportedOf(first.error).includes(MODERN)) return eraOf(first);
      // It names our revision while refusing it: asked once more.
      if (first !== undefined) {
        return eraOf(
          await Promise.race([ask(PROBE_IDS.discoverAgain, 'server/discover', { _meta: meta }), ended.promise]),
        );
      }
      const hello = { protocolVersion: legacyVersion, capabilities, clientInfo };
      const greeted = await Promise.race([ask(PROBE_IDS.initialize, 'initialize', hello), ended.promise]);
      if (greeted.result === undefined) return eraOf(await Promise.race([discovered, ended.promise]), greeted.error);
      // A server that answers both has settled for the later request.
      this.#initialized = greeted.result;
      this.#wasSilent = true;
      return { kind: 'legacy' };
    } finally {
      clearTimeout(timer);
      this.#inner.onclose = onclose;
      this.#probing = undefined;
    }
  }

  #receive(message: JSONRPCMessage): void {
    if (this.#probing?.(message) === true) return;
    if (this.#probing !== undefined || this.onmessage === undefined) {
      if (this.#early.length < MAX_EARLY_MESSAGES) this.#early.push(message);
      return;
    }
    this.onmessage(asError(message) ?? this.#open(message));
  }

  #open(message: JSONRPCMessage): JSONRPCMessage {
    const answer = 'method' in message ? undefined : z.safeParse(answerSchema, message).data;
    const method = answer && this.#methods.get(answer.id);
    if (answer === undefined || method === undefined) return message;
    this.#methods.delete(answer.id);
    const { result } = answer;
    if (result === undefined || result['resultType'] === 'input_required') return message;
    const valid = VALID_RESULTS.get(method) ?? result;
    // A missing type means a complete result.
    return { jsonrpc: '2.0', id: answer.id, result: { ...valid, resultType: 'complete', [RAW]: result } };
  }
}

/** The library drops an answer without a valid result, and its request would wait for the limit. */
function asError(message: JSONRPCMessage): JSONRPCMessage | undefined {
  if ('method' in message || !('id' in message) || z.safeParse(answerSchema, message).success) return undefined;
  const id = z.safeParse(idSchema, message.id).data;
  const error = { code: INVALID_ANSWER, message: 'The server sent an invalid answer.' };
  return id === undefined ? undefined : { jsonrpc: '2.0', id, error };
}

function supportedOf(error: RpcError | undefined): readonly string[] {
  if (error?.code !== UNSUPPORTED_VERSION) return [];
  return z.safeParse(supportedSchema, error.data).data?.supported ?? [];
}

const NO_HINTS = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } as const;
const discoverSchema = z.looseObject({
  supportedVersions: z.array(z.string()),
  capabilities: z.catch(z.looseObject({}), {}),
  instructions: z.catch(z.optional(z.string()), undefined),
});

/** The library wants all of it, and servers leave out what they do not use. */
function discoverOf(result: unknown): Extract<PriorDiscovery, { kind: 'modern' }>['discover'] {
  return { ...z.parse(discoverSchema, result), ...NO_HINTS };
}

/** The error for an HTTP status other than denied access; undefined for a failure without a response. */
function refusalOf(thrown: unknown): RpcError | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { status, text } = {
    status: undefined,
    text: undefined,
    ...thrown,
    ...('data' in thrown && Object(thrown.data)),
  };
  if (status === 401 || status === 403) return undefined;
  // A success with something else than a message.
  const isOther =
    ('code' in thrown && thrown.code === 'CLIENT_HTTP_UNEXPECTED_CONTENT') ||
    ['SyntaxError', 'ZodError'].includes(thrown.name);
  if (typeof status !== 'number' && !isOther) return undefined;
  const unknown = { code: 0, message: thrown.message };
  try {
    return z.safeParse(z.looseObject({ error: errorSchema }), JSON.parse(String(text))).data?.error ?? unknown;
  } catch {
    return unknown;
  }
}

function eraOf({ result, error }: Answer, refusal?: RpcError): PriorDiscovery {
  const versions = result?.['supportedVersions'];
  if (Array.isArray(versions) && result !== undefined) {
    if (versions.includes(MODERN)) return { kind: 'modern', discover: discoverOf(result) };
    if (versions.some((version) => String(version) < MODERN)) return { kind: 'legacy' };
    throw new AgentError('mcp_failed', `It supports only the protocol versions ${versions.join(', ')}.`);
  }
  if (error?.code === UNSUPPORTED_VERSION) {
    const supported = supportedOf(error);
    if (supported.some((version) => version < MODERN)) return { kind: 'legacy' };
    throw new AgentError('mcp_failed', `It supports only the protocol versions ${supported.join(', ')}.`);
  }
  const fault = error !== undefined && MODERN_ERRORS.includes(error.code) ? error : refusal;
  if (fault !== undefined) throw new AgentError('mcp_failed', `It refused the connection: ${fault.message}`);
  return { kind: 'legacy' };
}
