import type {
  AgentDirectory,
  HookDirectory,
  McpControls,
  PermissionControls,
  ToolDirectory,
  WorkspaceFolders,
} from './directories.js';
import type { Clipboard, CommandShell, MemoryFiles, ReferenceReader, WorkspaceFiles } from './outside.js';
import type { CheckpointStore, SessionControls, StoredSessions } from './session-controls.js';

/**
 * All that commands may see and do, of one session. Members are read when a command needs them, so they may be made
 * late. Their methods reject with an AgentError, whose message the user reads.
 */
export interface CommandHost {
  readonly facts: ProgramFacts;
  readonly surface: CommandSurface;
  readonly session: SessionControls;
  readonly checkpoints: CheckpointStore;
  readonly storedSessions: StoredSessions;
  readonly permissions: PermissionControls;
  readonly tools: ToolDirectory;
  readonly mcp: McpControls;
  readonly agents: AgentDirectory;
  readonly hooks: HookDirectory;
  readonly folders: WorkspaceFolders;
  readonly memory: MemoryFiles;
  readonly files: WorkspaceFiles;
  readonly clipboard: Clipboard;
  readonly shell: CommandShell;
  readonly references: ReferenceReader;
}

/** What a person in front of the host can do. */
export interface CommandSurface {
  /** Whether dialogs can be shown; where they cannot, a command says in words what the dialog would show. */
  readonly showsDialogs: boolean;
  /** Whether the end of the program can be asked about: only where a control channel is live (GAP-07). */
  readonly confirmsQuit: boolean;
}

/** What is so for the whole run. Nothing here is secret. */
export interface ProgramFacts {
  /** Of the program, e.g. `1.4.0`. */
  readonly version: string;
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** e.g. `linux x64, Node.js 24.1.0`. */
  readonly platform: string;
  /** Where model calls go; members are missing where nothing is configured. */
  readonly account: AccountFacts;
  /** Settings files that count, absolute, the strongest last. */
  readonly settingsFiles: readonly string[];
  /** The editor that the environment names. */
  readonly editor?: string;
}

/** Where requests to the model go, without secrets. */
export interface AccountFacts {
  readonly provider?: string;
  readonly host?: string;
  /** The name of what holds the credential, e.g. an environment variable. */
  readonly credentialSource?: string;
}
