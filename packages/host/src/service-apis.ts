import type { AnyTool, PermissionPort } from '@qwen/agent';
import type {
  AgentConfig,
  ConfirmationOutcome,
  ControlPlace,
  ControlResult,
  PermissionSuggestion,
  ToolKind,
} from '@qwen/protocol';
import type { Hook } from './hooks/hook.js';
import type { ManagedServer } from './mcp/managed-server.js';
import type { McpConnection } from './mcp/mcp-connection.js';

// What the program may ask of the control channel, by domain (N-02).

/** Permission questions to the app. */
export interface PermissionServiceApi extends PermissionPort {
  /** Whether the app said that it answers; one that said nothing is asked too, in case it does. */
  readonly answersQuestions: boolean;
  /** The same port for one session of many: its questions say which one they are about. */
  about(place: () => ControlPlace): PermissionPort;
  /** What a person could be offered; null for an input that is not an object (N-11). */
  buildPermissionSuggestions(details: ConfirmationDetails): Promise<PermissionSuggestion[] | null>;
}

/** What is to be confirmed. */
export interface ConfirmationDetails {
  readonly kind: ToolKind;
  readonly input: unknown;
  /** Rules that would let this very call through from now on. */
  readonly rules?: readonly string[];
}

/** A question about a slash command. */
export type Confirmation =
  | { readonly type: 'confirm_shell_commands'; readonly commands: readonly string[]; readonly raw: string }
  | { readonly type: 'confirm_action'; readonly prompt: string; readonly raw: string }
  | { readonly type: 'quit_confirmation'; readonly prompt: string };

export interface ConfirmationAnswer {
  readonly confirmationOutcome: ConfirmationOutcome;
  /** Those of the commands that were asked about which may run. */
  readonly approvedCommands: readonly string[];
}

/** Questions about slash commands to the app. */
export interface ConfirmationServiceApi {
  /** Never rejects: no answer, a malformed one and the end of the input are all a no. */
  confirm(
    question: Confirmation,
    how: { readonly signal: AbortSignal; readonly place?: ControlPlace },
  ): Promise<ConfirmationAnswer>;
}

export interface SystemServiceApi {
  /** What this end is and can, as `initialize` answers it (N-14). */
  getControlCapabilities(): ControlResult<'initialize'>;
  /** Whether the last turn was stopped (M-26). */
  isInterrupted(): boolean;
  /** Forgets that it was. */
  resetInterrupt(): void;
}

/** MCP servers, in the app and outside. */
export interface McpServiceApi {
  /** Every server that was named, with its live state (N-16). */
  listServers(): readonly { readonly name: string; readonly status: string }[];
  /** The client of one server: made on first use, then kept (N-15). Rejects when it cannot be connected. */
  getMcpClient(name: string): Promise<McpConnection>;
  /** Resolves when no server is connecting any more, or when the time for it is up. */
  whenReady(): Promise<void>;
  /** The servers, for their prompts. */
  readonly servers: readonly ManagedServer[];
  /** Tools of the servers. */
  readonly tools: readonly AnyTool[];
}

export interface AgentServiceApi {
  /** The subagents that there are now: those of the app, then those of files. */
  readonly agents: readonly AgentConfig[];
}

export interface HookServiceApi {
  /** Whether registered hooks are called. */
  readonly supported: boolean;
  /** Every hook of the app and of this program that is registered now. */
  readonly hooks: readonly Hook[];
  /** The same hooks for one session of many: what the app is asked says which one it is about. */
  about(place: () => ControlPlace): readonly Hook[];
  /** Adds a hook of this program (N-17); what it gives takes it away again. */
  registerHookCallback(hook: Hook): () => void;
}
