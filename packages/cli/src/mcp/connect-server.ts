import type { AnyTool } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import {
  connectInAppMcpServer,
  connectMcpServer,
  createTransport,
  type McpToolEntry,
  mcpTool,
  nameTools,
  readEndpoint,
} from '@qwen/tools';
import type { McpServerDefinition } from '../config/mcp-servers.js';
import type { McpConnection, McpConnectOptions, McpConnector } from '../control/mcp-connection.js';
import { ServerApprovals } from './server-approvals.js';
import { changedTools, ToolMemory } from './tool-memory.js';

export interface ServerSurroundings {
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** Folder of what qwen keeps about this user; absolute. */
  readonly stateDirectory: string;
  /** The environment that we run in. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Connects to servers of every kind. */
export class ServerConnector implements McpConnector {
  readonly #surroundings: ServerSurroundings;
  readonly #memory: ToolMemory;
  readonly #approvals: ServerApprovals;

  constructor(surroundings: ServerSurroundings) {
    this.#surroundings = surroundings;
    this.#memory = new ToolMemory(surroundings.stateDirectory);
    this.#approvals = new ServerApprovals(surroundings);
  }

  async connect(options: McpConnectOptions): Promise<McpConnection> {
    const { place, serverName, ...limits } = options;
    if (place.kind === 'app') return connectInAppMcpServer({ serverName, send: place.send, ...limits });
    const { definition } = place;
    const { config } = definition;
    await this.#assertApproved(serverName, definition);
    const { cwd, environment } = this.#surroundings;
    const tell = (message: string) =>
      options.announce({ code: 'mcp_server_notice', message: `MCP server "${serverName}": ${message}` });
    const transport = await createTransport({
      endpoint: readEndpoint(serverName, config),
      cwd,
      environment,
      onNoise: () => tell('It writes other things than messages; they are skipped.'),
    });
    let listed: readonly McpToolEntry[] | undefined;
    const connection = await connectMcpServer({
      ...limits,
      serverName,
      transport,
      includeTools: config.includeTools,
      excludeTools: config.excludeTools,
      onNotice: tell,
      onToolEntries: (entries) => {
        if (listed !== undefined) tellChanges(listed, entries, tell);
        listed = entries;
      },
    });
    // What it was like the last time is no reason to keep anybody waiting.
    void this.#remember(options, listed ?? [], tell).catch(() => undefined);
    return connection;
  }

  async recall({ place, serverName }: McpConnectOptions): Promise<readonly AnyTool[] | undefined> {
    if (place.kind === 'app') return undefined;
    const { definition } = place;
    await this.#assertApproved(serverName, definition);
    const { config } = definition;
    const known = await this.#memory.recall({ name: serverName, config, cwd: this.#surroundings.cwd });
    if (known?.isSameDefinition !== true) return undefined;
    return nameTools(serverName, known.tools, config).map(({ name, entry }) =>
      mcpTool({ name, entry, run: () => Promise.reject(new AgentError('mcp_failed', 'It is not connected.')) }),
    );
  }

  async #assertApproved(name: string, { config, origin }: McpServerDefinition): Promise<void> {
    if (origin === 'project') await this.#approvals.assert({ name, config });
  }

  async #remember(
    { place, serverName }: McpConnectOptions,
    entries: readonly McpToolEntry[],
    tell: (message: string) => void,
  ): Promise<void> {
    if (place.kind === 'app') return;
    const key = { name: serverName, config: place.definition.config, cwd: this.#surroundings.cwd };
    const known = await this.#memory.recall(key);
    if (known?.isSameDefinition === true) tellChanges(known.tools, entries, tell);
    else if (known !== undefined) tell('Its definition is not the one of the last time.');
    await this.#memory.keep(key, entries);
  }
}

function tellChanges(
  before: readonly McpToolEntry[],
  now: readonly McpToolEntry[],
  tell: (message: string) => void,
): void {
  const changed = changedTools(before, now);
  if (changed.length > 0) tell(`These tools say something else about themselves than before: ${changed.join(', ')}`);
}
