import type { AgentConfig } from '@qwen/protocol';
import type { AgentHost } from '../agent-host.js';
import type { Configuration } from '../config/load-config.js';
import type { Hook } from '../hooks/hook.js';
import type { ManagedServer } from '../mcp/managed-server.js';
import type { Notice } from '../notice.js';

export interface CommandContext {
  readonly configuration: Configuration;
  /** Read on each use: a session may sleep in between. */
  readonly host: () => AgentHost;
  /** Workspace folders, the working folder first; `/directory add` appends to it. */
  readonly roots: string[];
  readonly mcpServers: () => readonly ManagedServer[];
  /** Resolves when no server is connecting. */
  readonly mcpReady: () => Promise<void>;
  readonly agents: () => readonly AgentConfig[];
  readonly hooks: () => readonly Hook[];
  readonly showsDialogs: boolean;
  /** Whether a user can be asked before the program ends. */
  readonly confirmsQuit: () => boolean;
  readonly announce: (notice: Notice) => void;
}
