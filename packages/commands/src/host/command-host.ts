import type { BackgroundPort } from '@qwen/agent';
import type {
  AgentDirectory,
  HookDirectory,
  McpControls,
  PermissionControls,
  ToolDirectory,
  WorkspaceFolders,
} from './directories.js';
import type { RewindControls } from './rewind-controls.js';
import type { CheckpointStore, SessionControls, StoredSessions } from './session-controls.js';
import type { Clipboard, CommandShell, MemoryFiles, ReferenceReader, WorkspaceFiles } from './system-access.js';

/**
 * The access of commands to one session. Members are read on demand. Methods reject with an AgentError whose message
 * is shown to the user.
 */
export interface CommandHost {
  readonly facts: ProgramInfo;
  readonly surface: CommandSurface;
  readonly session: SessionControls;
  readonly checkpoints: CheckpointStore;
  readonly storedSessions: StoredSessions;
  readonly rewind: RewindControls;
  /** Commands in the background. Methods throw or reject with `tool_failed` for an unknown id. */
  readonly tasks: Pick<BackgroundPort, 'list' | 'output' | 'stop'>;
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

export interface CommandSurface {
  /** Otherwise their text is shown. */
  readonly showsDialogs: boolean;
  /** Only with a live control channel. */
  readonly confirmsQuit: boolean;
}

/** Contains no secrets. */
export interface ProgramInfo {
  readonly version: string;
  readonly homepage: string;
  readonly issuesUrl: string;
  /** Absolute. */
  readonly cwd: string;
  readonly platform: string;
  /** Members are missing if nothing is configured. */
  readonly account: AccountInfo;
  /** Absolute paths of the settings files in effect; later ones take precedence. */
  readonly settingsFiles: readonly string[];
  readonly editor?: string;
}

/** Contains no secrets. */
export interface AccountInfo {
  readonly provider?: string;
  readonly host?: string;
  readonly credentialSource?: string;
}
