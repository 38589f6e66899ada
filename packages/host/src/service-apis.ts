import type { AnyTool, PermissionPort } from '@qwen/agent';
import type {
  AgentConfig,
  ConfirmationOutcome,
  ControlResult,
  ControlScope,
  PermissionSuggestion,
  ToolKind,
} from '@qwen/protocol';
import type { Hook } from './hooks/hook.js';
import type { ManagedServer } from './mcp/managed-server.js';
import type { McpConnection } from './mcp/mcp-connection.js';

// What sessions need from the front end, by domain. The CLI implements it with the control channel, the terminal with
// dialogs.

export interface PermissionServiceApi extends PermissionPort {
  /** Whether the app declared that it answers. An app that declared nothing is asked too. */
  readonly answersQuestions: boolean;
  /** The same port for one of several sessions: its questions name the session. */
  about(place: () => ControlScope): PermissionPort;
  /** Suggestions for the person; null for an input that is not an object. */
  buildPermissionSuggestions(details: ConfirmationDetails): Promise<PermissionSuggestion[] | null>;
}

export interface ConfirmationDetails {
  readonly kind: ToolKind;
  readonly input: unknown;
  /** Rules that would allow this call from now on. */
  readonly rules?: readonly string[];
}

export type Confirmation =
  | { readonly type: 'confirm_shell_commands'; readonly commands: readonly string[]; readonly raw: string }
  | { readonly type: 'confirm_action'; readonly prompt: string; readonly raw: string }
  | { readonly type: 'quit_confirmation'; readonly prompt: string };

export interface ConfirmationAnswer {
  readonly confirmationOutcome: ConfirmationOutcome;
  /** The subset that may run. */
  readonly approvedCommands: readonly string[];
}

export const NOT_CONFIRMED: ConfirmationAnswer = { confirmationOutcome: 'cancel', approvedCommands: [] };

/** Questions about slash commands. */
export interface ConfirmationServiceApi {
  /** Never rejects: no answer, a malformed answer and the end of the input are denials. */
  confirm(
    question: Confirmation,
    how: { readonly signal: AbortSignal; readonly place?: ControlScope },
  ): Promise<ConfirmationAnswer>;
}

export interface SystemServiceApi {
  getControlCapabilities(): ControlResult<'initialize'>;
  /** Whether the app knows messages about changes of the model and the mode. */
  readonly reportsChanges: boolean;
  isInterrupted(): boolean;
  resetInterrupt(): void;
}

export interface McpServiceApi {
  listServers(): readonly { readonly name: string; readonly status: string }[];
  /** The client of a server, created on first use. Rejects when it cannot connect. */
  getMcpClient(name: string): Promise<McpConnection>;
  /** Resolves when no server is connecting, or after the time limit. */
  whenReady(): Promise<void>;
  /** Like `whenReady`, but short unless the app set a limit. */
  beforeFirstTurn(): Promise<void>;
  readonly servers: readonly ManagedServer[];
  readonly tools: readonly AnyTool[];
}

export interface AgentServiceApi {
  /** Current subagents: those of the app, then those of files. */
  readonly agents: readonly AgentConfig[];
}

export interface HookServiceApi {
  readonly supported: boolean;
  /** Every registered hook of the app and of this program. */
  readonly hooks: readonly Hook[];
  /** The same hooks for one of several sessions: requests to the app name the session. */
  about(place: () => ControlScope): readonly Hook[];
  /** Adds a hook of this program; returns a function that removes it. */
  registerHookCallback(hook: Hook): () => void;
}
