import { AsyncQueue, type SDKUserMessage } from '@qwen/protocol';
import { query } from '@qwen/sdk';
import type { AgentLaunch } from '../../agent/agent-process.js';
import { launchKey } from '../../agent/agent-process.js';
import type { SessionService } from '../../core/session-service.js';

/** A prompt of an MCP server of a session, which is a command too. */
export interface McpPromptFacts {
  /** Of the command, e.g. `mcp__docs__review`. */
  readonly name: string;
  readonly description: string;
}

export interface McpPromptsOptions {
  readonly sessions: Pick<SessionService, 'get'>;
  readonly launch: AgentLaunch;
}

/** So many sessions are remembered; what was forgotten is asked anew. */
const MAX_KNOWN = 1000;

/**
 * The prompts of the MCP servers that are configured for a session. Only an agent connects to them, so one is
 * started for the question alone; it is told nothing and asks no model. The answer holds until the session looks
 * different or somebody wants it anew (GAP-80).
 */
export class McpPrompts {
  readonly #options: McpPromptsOptions;
  readonly #known = new Map<string, Promise<readonly McpPromptFacts[]>>();

  constructor(options: McpPromptsOptions) {
    this.#options = options;
  }

  /** Rejects with what keeps the agent from starting. */
  async of(sessionId: string, { reload }: { readonly reload: boolean }): Promise<readonly McpPromptFacts[]> {
    const session = await this.#options.sessions.get(sessionId);
    const key = launchKey(session);
    if (reload) this.#known.delete(key);
    const known = this.#known.get(key) ?? this.#ask(session.workspaceRoot, session.directories);
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN && oldest !== undefined) this.#known.delete(oldest);
    known.catch(() => this.#known.delete(key));
    return known;
  }

  async #ask(cwd: string, includeDirectories: readonly string[]): Promise<readonly McpPromptFacts[]> {
    const nothing = new AsyncQueue<SDKUserMessage>();
    const agent = query({ prompt: nothing, options: { ...this.#options.launch, cwd, includeDirectories } });
    try {
      const { mcpServers } = await agent.sendControlRequest('mcp_status', { wait: true });
      return mcpServers.flatMap(({ prompts = [] }) => prompts);
    } finally {
      nothing.end();
      await agent.close();
    }
  }
}
