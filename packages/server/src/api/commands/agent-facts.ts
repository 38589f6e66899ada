import { AsyncQueue, type SDKUserMessage } from '@qwen/protocol';
import { type Query, query } from '@qwen/sdk';
import type { AgentLaunch } from '../../agent/agent-process.js';
import { launchKey } from '../../agent/agent-process.js';
import type { SessionService } from '../../core/session-service.js';
import type { SessionRecord } from '../../store/session-record.js';

export interface AgentFactsOptions<Fact> {
  readonly sessions: Pick<SessionService, 'getChecked'>;
  readonly launch: AgentLaunch;
  readonly ask: (agent: Query) => Promise<Fact>;
}

/** Cached sessions. */
const MAX_KNOWN = 1000;

/**
 * Facts of a session that only agents know. Starts one that gets no prompt. Cached until the configuration of the
 * session changes or a caller reloads.
 */
export class AgentFacts<Fact> {
  readonly #options: AgentFactsOptions<Fact>;
  readonly #known = new Map<string, Promise<Fact>>();

  constructor(options: AgentFactsOptions<Fact>) {
    this.#options = options;
  }

  async of(sessionId: string, { reload = false }: { readonly reload?: boolean } = {}): Promise<Fact> {
    const session = await this.#options.sessions.getChecked(sessionId);
    const key = launchKey(session);
    if (reload) this.#known.delete(key);
    const known = this.#known.get(key) ?? this.#ask(session);
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #ask({ workspaceRoot: cwd, directories: includeDirectories, model }: SessionRecord): Promise<Fact> {
    const noPrompts = new AsyncQueue<SDKUserMessage>();
    const options = { ...this.#options.launch, cwd, includeDirectories, model };
    const agent = query({ prompt: noPrompts, options });
    try {
      return await this.#options.ask(agent);
    } finally {
      noPrompts.end();
      await agent.close();
    }
  }
}

export interface McpPromptInfo {
  /** Such as `mcp__docs__review`. */
  readonly name: string;
  readonly description: string;
}

/** Of the MCP servers, to which only agents connect. */
export async function readMcpPrompts(agent: Query): Promise<readonly McpPromptInfo[]> {
  const { mcpServers } = await agent.sendControlRequest('mcp_status', { wait: true });
  return mcpServers.flatMap(({ prompts = [] }) => prompts);
}
