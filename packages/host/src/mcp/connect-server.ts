import { isDeepStrictEqual } from 'node:util';
import type { AnyTool } from '@qwen/agent';
import { AgentError, type CliMcpServerConfig, type SandboxMode, type TraceContext } from '@qwen/protocol';
import {
  authorizedFetch,
  connectInAppMcpServer,
  connectMcpServer,
  createTransport,
  type FetchLike,
  type InAppMcpServerOptions,
  type McpEndpoint,
  mcpTool,
  nameTools,
  readEndpoint,
  type SandboxPolicy,
} from '@qwen/tools';
import type { McpServerDefinition, McpServerOrigin } from '../config/mcp-servers.js';
import { createTokenSource } from './auth/create-token-source.js';
import { TokenFile } from './auth/token-file.js';
import type { McpConnection, McpConnectOptions, McpConnector } from './mcp-connection.js';
import { ServerApprovals } from './server-approvals.js';
import { type ApprovedTools, ToolApprovals } from './tool-approvals.js';
import { ToolMemory } from './tool-memory.js';
import { ToolWatch } from './tool-watch.js';

export interface ServerContext {
  readonly cwd: string;
  readonly stateDirectory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly traceOf?: (callId: string) => TraceContext | undefined;
  readonly sandboxFor: (requested: SandboxMode | true) => SandboxPolicy | Promise<SandboxPolicy>;
}

const PROJECT_ORIGINS: readonly McpServerOrigin[] = ['project', 'mcp_json'];

export class ServerConnector implements McpConnector {
  readonly #context: ServerContext;
  readonly #memory: ToolMemory;
  readonly #approvals: ServerApprovals;
  readonly #tools: ToolApprovals;
  readonly #tokens: TokenFile;
  readonly #watches = new Map<string, ToolWatch>();

  constructor(context: ServerContext) {
    this.#context = context;
    this.#memory = new ToolMemory(context.stateDirectory);
    this.#approvals = new ServerApprovals(context);
    this.#tools = new ToolApprovals(context.stateDirectory);
    this.#tokens = new TokenFile(context.stateDirectory);
  }

  async connect(options: McpConnectOptions): Promise<McpConnection> {
    const { place, serverName, elicit, ...limits } = options;
    const notify = noticesOf(options);
    // A server in the app asks its user directly.
    if (place.kind === 'app') {
      const watch = this.#watchOf(serverName, undefined, notify);
      const { traceOf } = this.#context;
      return connectInAppMcpServer({ serverName, send: place.send, traceOf, ...limits, ...watching(watch) });
    }
    const { definition } = place;
    const { config } = definition;
    await this.#assertApproved(serverName, definition);
    const { cwd, environment, sandboxFor, traceOf } = this.#context;
    const { sandbox: requested = false } = config;
    const endpoint = readEndpoint(serverName, config);
    const fetchForServer = this.#fetchFor(endpoint, config, options);
    const openTransport = async () =>
      createTransport({
        endpoint,
        cwd,
        environment,
        fetch: fetchForServer,
        onNoise: () => notify('It writes lines that are not messages; they are ignored.'),
        ...(requested !== false && { sandbox: await sandboxFor(requested) }),
        onReverted: (paths) =>
          notify(
            `It created files that the sandbox protects; each was renamed to *.removed-by-sandbox: ${paths.join(', ')}.`,
          ),
      }).catch((thrown: unknown) => {
        const { code, message } = AgentError.from(thrown);
        if (code !== 'sandbox_unavailable') throw thrown;
        const advice = `Or remove "sandbox" from mcpServers.${serverName} to run it with all your rights.`;
        throw new AgentError(code, `${message} ${advice}`, { cause: thrown });
      });
    const watch = this.#watchOf(serverName, definition, notify);
    await watch.begin();
    const memoryKey = { name: serverName, config, cwd };
    const known = await this.#memory.recall(memoryKey);
    if (known?.isSameDefinition === false) notify('Its definition has changed.');
    let remembered = known?.isSameDefinition === true ? known.tools : undefined;
    let kept: Promise<void> | undefined;
    const isTrusted = isTrustedServer(definition);
    const open = async (isLegacy: boolean) =>
      connectMcpServer({
        ...limits,
        serverName,
        transport: await openTransport(),
        isLegacy,
        elicit,
        traceOf,
        includeTools: config.includeTools,
        excludeTools: config.excludeTools,
        isTrusted,
        onNotice: notify,
        definitionOf: (entry, name) => watch.definitionOf(entry, name),
        onToolEntries: (entries, { isAskingCostly }) => {
          watch.see(entries);
          const isKnown = isDeepStrictEqual(entries, remembered) && known?.isLegacy === isAskingCostly;
          if (isKnown) return;
          remembered = entries;
          // A failed write only means that a lazy server starts earlier.
          kept = this.#memory.keep(memoryKey, { tools: entries, isLegacy: isAskingCostly }).catch(() => undefined);
        },
      });
    const isLegacy = known?.isSameDefinition === true && known.isLegacy;
    const connection = await open(isLegacy).catch((thrown: unknown) => {
      const { exitedAtDiscover, refusesInitialize } = AgentError.is(thrown) ? thrown.data : {};
      // The stored era is outdated, or the server exits on `discover`.
      if (exitedAtDiscover !== true && !(isLegacy && refusesInitialize === true)) throw thrown;
      return open(!isLegacy);
    });
    await Promise.all([watch.kept, kept]);
    const close = connection.close.bind(connection);
    // A process that exits right after an approval would ask again in the next one.
    return Object.assign(connection, { close: () => Promise.all([close(), watch.kept]).then(() => undefined) });
  }

  async recall({ place, serverName, announce }: McpConnectOptions): Promise<readonly AnyTool[] | undefined> {
    if (place.kind === 'app') return undefined;
    const { definition } = place;
    await this.#assertApproved(serverName, definition);
    const { config } = definition;
    const known = await this.#memory.recall({ name: serverName, config, cwd: this.#context.cwd });
    if (known?.isSameDefinition !== true) return undefined;
    const isTrusted = isTrustedServer(definition);
    const watch = this.#watchOf(serverName, definition, noticesOf({ serverName, announce }));
    await watch.begin();
    return nameTools(serverName, known.tools, config).map(({ name, entry }) =>
      mcpTool({
        name,
        serverName,
        entry,
        isTrusted,
        definition: watch.definitionOf(entry, name),
        run: () => Promise.reject(new AgentError('mcp_failed', `The MCP server ${serverName} is not connected.`)),
      }),
    );
  }

  async #assertApproved(name: string, { config, origin }: McpServerDefinition): Promise<void> {
    if (origin === 'mcp_json') await this.#approvals.assert({ name, config });
  }

  /**
   * Adds tokens where the server wants them. Does not wait for a sign-in: the user gets the address, and the
   * connection is retried.
   */
  #fetchFor(endpoint: McpEndpoint, config: CliMcpServerConfig, options: McpConnectOptions): FetchLike {
    if (endpoint.kind !== 'http' && endpoint.kind !== 'sse') return fetch;
    const { serverName, announce, onSignedIn } = options;
    const source = createTokenSource({
      serverName,
      config,
      endpoint,
      tokens: this.#tokens,
      patience: 'later',
      onAuthorizationUrl: ({ href: url }) => {
        const message = `The MCP server "${serverName}" requires a sign-in: ${url}`;
        announce({ code: 'mcp_auth_required', message, data: { server_name: serverName, url } });
      },
      onSignedIn,
    });
    if (source === undefined) return fetch;
    const { tokenParamName } = config.oauth ?? {};
    return authorizedFetch({ fetch, source, serverUrl: endpoint.url, tokenParamName });
  }

  /** One per server and session, kept across restarts. */
  #watchOf(name: string, definition: McpServerDefinition | undefined, onNotice: (message: string) => void): ToolWatch {
    const known = this.#watches.get(name);
    if (known !== undefined) return known;
    const key = definition && { name, ...definition, cwd: this.#context.cwd };
    const store = key && {
      read: () => this.#tools.read(key),
      add: (tools: ApprovedTools) => this.#tools.add(key, tools),
    };
    const watch = new ToolWatch({ serverName: name, onNotice, ...(store !== undefined && { store }) });
    this.#watches.set(name, watch);
    return watch;
  }
}

function noticesOf({ serverName, announce }: Pick<McpConnectOptions, 'serverName' | 'announce'>) {
  return (message: string) =>
    announce({ code: 'mcp_server_notice', message: `MCP server "${serverName}": ${message}` });
}

function watching(watch: ToolWatch): Pick<InAppMcpServerOptions, 'definitionOf' | 'onToolEntries'> {
  return {
    definitionOf: (entry, name) => watch.definitionOf(entry, name),
    onToolEntries: (entries) => watch.see(entries),
  };
}

/** A project must not exempt its own servers from questions. */
function isTrustedServer({ config, origin }: McpServerDefinition): boolean {
  return config.trust === true && !PROJECT_ORIGINS.includes(origin);
}
