import type { AgentConfig } from '@qwen/protocol';
import type { AgentHost } from '../agent-host.js';
import type { Configuration } from '../config/load-config.js';
import type { Hook } from '../hooks/hook.js';
import type { ManagedServer } from '../mcp/managed-server.js';
import type { Notice } from '../notice.js';

/** What commands of one session are wired to. */
export interface CommandSurroundings {
  readonly configuration: Configuration;
  /** The agent of the session; asked with each use, for a session may sleep in between. */
  readonly host: () => AgentHost;
  /** The folders of the workspace, the working folder first; `/directory add` adds to it. */
  readonly roots: string[];
  readonly mcpServers: () => readonly ManagedServer[];
  /** Resolves when no server is connecting any more. */
  readonly mcpReady: () => Promise<void>;
  readonly agents: () => readonly AgentConfig[];
  readonly hooks: () => readonly Hook[];
  /** Whether whoever reads the outcome has dialogs of its own (F-22). */
  readonly showsDialogs: boolean;
  /** Whether somebody can be asked before the program ends. */
  readonly confirmsQuit: () => boolean;
  readonly announce: (notice: Notice) => void;
}
