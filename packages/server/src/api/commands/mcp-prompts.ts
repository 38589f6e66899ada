import { AsyncQueue, type SDKUserMessage } from '@qwen/protocol';
import { query } from '@qwen/sdk';
import type { AgentLaunch } from '../../agent/agent-process.js';
import { launchKey } from '../../agent/agent-process.js';
import type { SessionService } from '../../core/session-service.js';

export interface McpPromptInfo {
  /** Such as `mcp__docs__review`. */
  readonly name: string;
  readonly description: string;
}

export interface McpPromptsOptions {
  readonly sessions: Pick<SessionService, 'getChecked'>;
  readonly launch: AgentLaunch;
}

/** Cached sessions. */
const MAX_KNOWN = 1000;

/**
 * Lists the prompts of a session's MCP servers. Only agents connect to them, so this starts one that gets no prompt.
 * Cached until the configuration of the session changes or a caller reloads.
 */
export class McpPrompts {
  readonly #options: McpPromptsOptions;
  readonly #known = new Map<string, Promise<readonly McpPromptInfo[]>>();

  constructor(options: McpPromptsOptions) {
    this.#options = options;
  }

  async of(sessionId: string, { reload }: { readonly reload: boolean }): Promise<readonly McpPromptInfo[]> {
    const session = await this.#options.sessions.getChecked(sessionId);
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

  async #ask(cwd: string, includeDirectories: readonly string[]): Promise<readonly McpPromptInfo[]> {
    const noPrompts = new AsyncQueue<SDKUserMessage>();
    const agent = query({ prompt: noPrompts, options: { ...this.#options.launch, cwd, includeDirectories } });
    try {
      const { mcpServers } = await agent.sendControlRequest('mcp_status', { wait: true });
      return mcpServers.flatMap(({ prompts = [] }) => prompts);
    } finally {
      noPrompts.end();
      await agent.close();
    }
  }
}
