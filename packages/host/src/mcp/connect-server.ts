import type { AnyTool } from '@qwen/agent';
import { AgentError, type CliMcpServerConfig } from '@qwen/protocol';
import {
  authorizedFetch,
  connectInAppMcpServer,
  connectMcpServer,
  createTransport,
  type FetchLike,
  type McpEndpoint,
  mcpTool,
  nameTools,
  readEndpoint,
} from '@qwen/tools';
import type { McpServerDefinition, McpServerOrigin } from '../config/mcp-servers.js';
import { createTokenSource } from './auth/create-token-source.js';
import { TokenFile } from './auth/token-file.js';
import type { McpConnection, McpConnectOptions, McpConnector } from './mcp-connection.js';
import { ServerApprovals } from './server-approvals.js';
import { ToolMemory } from './tool-memory.js';
import { ToolWatch } from './tool-watch.js';

export interface ServerSurroundings {
  readonly cwd: string;
  readonly stateDirectory: string;
  /** The process environment. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const PROJECT_ORIGINS: readonly McpServerOrigin[] = ['project', 'mcp_json'];

/** Connects to servers of every kind. */
export class ServerConnector implements McpConnector {
  readonly #surroundings: ServerSurroundings;
  readonly #memory: ToolMemory;
  readonly #approvals: ServerApprovals;
  readonly #tokens: TokenFile;
  readonly #watches = new Map<string, ToolWatch>();

  constructor(surroundings: ServerSurroundings) {
    this.#surroundings = surroundings;
    this.#memory = new ToolMemory(surroundings.stateDirectory);
    this.#approvals = new ServerApprovals(surroundings);
    this.#tokens = new TokenFile(surroundings.stateDirectory);
  }

  async connect(options: McpConnectOptions): Promise<McpConnection> {
    const { place, serverName, elicit, ...limits } = options;
    // A server in the app asks its user directly.
    if (place.kind === 'app') return connectInAppMcpServer({ serverName, send: place.send, ...limits });
    const { definition } = place;
    const { config } = definition;
    await this.#assertApproved(serverName, definition);
    const { cwd, environment } = this.#surroundings;
    const tell = (message: string) =>
      options.announce({ code: 'mcp_server_notice', message: `MCP server "${serverName}": ${message}` });
    const endpoint = readEndpoint(serverName, config);
    const transport = await createTransport({
      endpoint,
      cwd,
      environment,
      fetch: this.#fetchFor(endpoint, config, options),
      onNoise: () => tell('It writes lines that are not messages; they are ignored.'),
    });
    const watch = this.#watchOf(serverName, definition, tell);
    await watch.begin();
    const isTrusted = isTrustedServer(definition);
    const connection = await connectMcpServer({
      ...limits,
      serverName,
      transport,
      elicit,
      includeTools: config.includeTools,
      excludeTools: config.excludeTools,
      isTrusted: (toolName) => isTrusted && watch.isUnchanged(toolName),
      onNotice: tell,
      onToolEntries: (entries) => watch.see(entries),
    });
    await watch.kept;
    return connection;
  }

  async recall({ place, serverName }: McpConnectOptions): Promise<readonly AnyTool[] | undefined> {
    if (place.kind === 'app') return undefined;
    const { definition } = place;
    await this.#assertApproved(serverName, definition);
    const { config } = definition;
    const known = await this.#memory.recall({ name: serverName, config, cwd: this.#surroundings.cwd });
    if (known?.isSameDefinition !== true) return undefined;
    const isTrusted = isTrustedServer(definition);
    return nameTools(serverName, known.tools, config).map(({ name, entry }) =>
      mcpTool({
        name,
        serverName,
        entry,
        isTrusted,
        run: () => Promise.reject(new AgentError('mcp_failed', 'It is not connected.')),
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
  #watchOf(name: string, { config }: McpServerDefinition, tell: (message: string) => void): ToolWatch {
    const known = this.#watches.get(name);
    if (known !== undefined) return known;
    const watch = new ToolWatch(this.#memory, { name, config, cwd: this.#surroundings.cwd }, tell);
    this.#watches.set(name, watch);
    return watch;
  }
}

/** A project must not exempt its own servers from questions. */
function isTrustedServer({ config, origin }: McpServerDefinition): boolean {
  return config.trust === true && !PROJECT_ORIGINS.includes(origin);
}
