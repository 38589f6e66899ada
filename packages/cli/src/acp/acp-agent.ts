import {
  type AgentApp,
  type AgentRequestContext,
  agent,
  type ClientCapabilities,
  type InitializeRequest,
  type InitializeResponse,
  type JsonRpcId,
  type ListSessionsRequest,
  type McpServer,
  type NewSessionRequest,
  PROTOCOL_VERSION,
} from '@agentclientprotocol/sdk';
import type { Environment } from '@qwen/host/config/env.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { Flags } from '@qwen/host/flags/args.js';
import type { SessionStore } from '@qwen/host/session-store.js';
import { withTelemetry } from '@qwen/host/telemetry/with-telemetry.js';
import { AgentError, defined, QWEN_VERSION } from '@qwen/protocol';
import { configureSession } from '../subcommands/configure-session.js';
import type { AcpSession } from './acp-session.js';
import { checkAbsolute, checkFolder, type ForkParams, readForkParams, toServers } from './request-params.js';
import { typed } from './rpc-errors.js';

export interface AcpAgentOptions {
  readonly flags: Flags;
  readonly environment: Environment;
  /** Where the program was started; sessions name their own folder. */
  readonly cwd: string;
  readonly sessionsDirectory: string;
  readonly printError: (text: string) => void;
}

interface OpenSession {
  readonly session: AcpSession;
  /** Closes the session and ends its telemetry. */
  close(reason: 'prompt_input_exit' | 'other'): Promise<void>;
}

type SessionFolders = Pick<NewSessionRequest, 'cwd' | 'additionalDirectories'> & { readonly mcpServers?: McpServer[] };

const ENVIRONMENT_METHOD = {
  id: 'environment',
  name: 'Provider credentials',
  description:
    'Set the API key variable of a provider, such as OPENAI_API_KEY, or describe a provider in the settings. Then restart the agent. Run qwen doctor to check.',
};

/** `fork` is not in the stable protocol yet; clients that know it may use it. */
const SESSION_CAPABILITIES = { list: {}, delete: {}, resume: {}, close: {}, additionalDirectories: {}, fork: {} };

/** The agent of one client with all its sessions. */
export class AcpAgent {
  readonly #options: AcpAgentOptions;
  readonly #sessions = new Map<string, OpenSession>();
  /** Called once the answer to a request was written. */
  readonly #answered = new Map<JsonRpcId, () => void>();
  #capabilities: ClientCapabilities = {};

  constructor(options: AcpAgentOptions) {
    this.#options = options;
  }

  get app(): AgentApp {
    return agent({ name: 'qwen' })
      .onRequest('initialize', ({ params }) => this.#initialize(params))
      .onRequest('authenticate', ({ params }) => typed(() => this.#authenticate(params.methodId)))
      .onRequest('session/new', (request) =>
        typed(async () => {
          const choice = { kind: 'new', sessionId: crypto.randomUUID() } as const;
          const session = await this.#open(choice, request);
          return { sessionId: choice.sessionId, ...stateOf(session) };
        }),
      )
      .onRequest('session/load', (request) =>
        typed(async () => {
          const { sessionId } = request.params;
          const session = await this.#reopen(sessionId, request);
          try {
            await session.replay();
          } catch (thrown) {
            await this.#close(sessionId);
            throw thrown;
          }
          return stateOf(session);
        }),
      )
      .onRequest('session/resume', (request) =>
        typed(async () => stateOf(await this.#reopen(request.params.sessionId, request))),
      )
      .onRequest('session/fork', { parse: readForkParams }, (request) => typed(() => this.#fork(request)))
      .onRequest('session/list', ({ params }) => typed(() => this.#list(params)))
      .onRequest('session/delete', ({ params }) =>
        typed(async () => {
          const { sessionId } = params;
          await this.#close(sessionId);
          await (await this.#storeOf(sessionId)).delete(sessionId);
          return {};
        }),
      )
      .onRequest('session/close', ({ params }) =>
        typed(async () => {
          this.#find(params.sessionId);
          await this.#close(params.sessionId);
          return {};
        }),
      )
      .onRequest('session/set_mode', ({ params }) =>
        typed(() => {
          this.#find(params.sessionId).options.setMode(params.modeId);
          return {};
        }),
      )
      .onRequest('session/set_config_option', ({ params }) =>
        typed(async () => {
          const { options } = this.#find(params.sessionId);
          await options.set(params.configId, params.value);
          return { configOptions: options.all };
        }),
      )
      .onRequest('session/prompt', ({ params, signal }) =>
        typed(() => {
          const session = this.#find(params.sessionId);
          const cancel = (): void => session.cancel();
          // Awaits nothing before: the next message may cancel it.
          const answer = session.prompt(params.prompt);
          // It may have arrived together with the request.
          if (signal.aborted) cancel();
          signal.addEventListener('abort', cancel, { once: true });
          return answer.finally(() => signal.removeEventListener('abort', cancel));
        }),
      )
      .onNotification('session/cancel', ({ params }) => this.#sessions.get(params.sessionId)?.session.cancel());
  }

  /** Reports that the client can read the answer to a request. */
  noteAnswer(id: JsonRpcId): void {
    const listener = this.#answered.get(id);
    this.#answered.delete(id);
    listener?.();
  }

  async close(reason: 'prompt_input_exit' | 'other'): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((open) => open.close(reason)));
  }

  #initialize({ clientCapabilities }: InitializeRequest): InitializeResponse {
    this.#capabilities = clientCapabilities ?? {};
    return {
      protocolVersion: PROTOCOL_VERSION,
      agentInfo: { name: 'qwen', title: 'Qwen', version: QWEN_VERSION },
      authMethods: [ENVIRONMENT_METHOD],
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true, sse: true },
        sessionCapabilities: SESSION_CAPABILITIES,
      },
    };
  }

  async #authenticate(methodId: string): Promise<object> {
    if (methodId !== ENVIRONMENT_METHOD.id) {
      throw new AgentError('invalid_payload', `methodId: expected ${ENVIRONMENT_METHOD.id}, not "${methodId}"`);
    }
    const { provider } = await this.#configure({ cwd: this.#options.cwd });
    if (!provider.ok) throw provider.error;
    return {};
  }

  async #list({ cwd, cursor }: ListSessionsRequest) {
    const query = defined({ cwd: cwd ?? undefined, cursor: cursor ?? undefined });
    // The folder may be gone.
    if (query.cwd !== undefined) checkAbsolute('cwd', query.cwd);
    const { sessions, nextCursor } = await (await this.#openStore()).list(query);
    return {
      sessions: sessions.map(({ sessionId, cwd: folder, title, firstPrompt, modifiedAtMs }) => ({
        sessionId,
        cwd: folder,
        updatedAt: new Date(modifiedAtMs).toISOString(),
        ...defined({ title: title ?? firstPrompt }),
      })),
      ...defined({ nextCursor }),
    };
  }

  /** Copies the session now: its source may continue before the copy receives a prompt. */
  async #fork(request: AgentRequestContext<ForkParams>) {
    const { sessionId: source, cwd } = request.params;
    const store = await this.#storeOf(source);
    checkFolder('cwd', cwd);
    const sessionId = crypto.randomUUID();
    const copy = await store.fork(source, { sessionId, cwd, createdAt: new Date().toISOString() });
    await copy.log.close();
    return { sessionId, ...stateOf(await this.#open({ kind: 'resume', sessionId }, request)) };
  }

  async #reopen(sessionId: string, request: AgentRequestContext<SessionFolders>): Promise<AcpSession> {
    await this.#storeOf(sessionId);
    await this.#close(sessionId);
    return this.#open({ kind: 'resume', sessionId }, request);
  }

  /** Throws `session_not_found`. */
  async #storeOf(sessionId: string): Promise<SessionStore> {
    const store = await this.#openStore();
    if (this.#sessions.has(sessionId) || store.has(sessionId)) return store;
    throw notFound(sessionId);
  }

  /** Not loaded before the answer to `initialize`. */
  async #openStore(): Promise<SessionStore> {
    return (await import('@qwen/host/session-store.js')).openStore(this.#options);
  }

  #find(sessionId: string): AcpSession {
    const open = this.#sessions.get(sessionId);
    if (open === undefined) throw notFound(sessionId);
    return open.session;
  }

  async #close(sessionId: string): Promise<void> {
    const open = this.#sessions.get(sessionId);
    this.#sessions.delete(sessionId);
    await open?.close('other');
  }

  async #open(choice: SessionChoice, { params, client, requestId, signal }: AgentRequestContext<SessionFolders>) {
    const servers = toServers(params.mcpServers ?? []);
    const configuration = await this.#configure(params);
    if (!configuration.provider.ok) throw configuration.provider.error;
    const { AcpSession } = await import('./acp-session.js');
    signal.throwIfAborted();
    const open = await this.#trace(
      configuration,
      (traced) =>
        new AcpSession({
          client,
          capabilities: this.#capabilities,
          configuration: traced,
          choice,
          servers,
          printError: this.#options.printError,
        }),
    );
    // The client may have opened it twice at once.
    while (this.#sessions.has(choice.sessionId)) await this.#close(choice.sessionId);
    this.#sessions.set(choice.sessionId, open);
    this.#answered.set(requestId, () => open.session.begin());
    return open.session;
  }

  /** The telemetry of a session ends with it. */
  async #trace(configuration: Configuration, create: (traced: Configuration) => AcpSession): Promise<OpenSession> {
    const { environment, printError } = this.#options;
    const created = Promise.withResolvers<AcpSession>();
    const closed = Promise.withResolvers<number>();
    const run = withTelemetry(
      { configuration, environment, onProblem: ({ message }) => configuration.debug && printError(message) },
      (traced) => {
        created.resolve(create(traced));
        return closed.promise;
      },
    );
    run.catch(created.reject);
    const session = await created.promise;
    return {
      session,
      close: async (reason) => {
        await session.close(reason);
        closed.resolve(0);
        await run;
      },
    };
  }

  async #configure({ cwd, additionalDirectories = [] }: SessionFolders): Promise<Configuration> {
    const { environment } = this.#options;
    for (const [index, folder] of additionalDirectories.entries())
      checkFolder(`additionalDirectories.${index}`, folder);
    checkFolder('cwd', cwd);
    const includeDirectories = [...(this.#options.flags.includeDirectories ?? []), ...additionalDirectories];
    const flags = { ...this.#options.flags, ...(includeDirectories.length > 0 && { includeDirectories }) };
    return configureSession({ flags, environment, cwd });
  }
}

function stateOf({ options }: AcpSession) {
  return { modes: options.modes, configOptions: options.all };
}

function notFound(sessionId: string): AgentError {
  const message = `The session "${sessionId}" does not exist or is not open.`;
  return new AgentError('session_not_found', message, { data: { sessionId } });
}
