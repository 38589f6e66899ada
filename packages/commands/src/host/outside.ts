import type { ContentBlock } from '@qwen/protocol';

/** A file of instructions that the model reads with each prompt. */
export interface MemoryFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

/** QWEN.md: what the model shall keep in mind. */
export interface MemoryFiles {
  /** The files that count, as they are on the disk now; the strongest last. */
  list(): Promise<readonly MemoryFile[]>;
  /** Adds an entry to QWEN.md of the project or of the user, and gives the path of that file. */
  add(entry: string, scope: 'project' | 'user'): Promise<string>;
  /** Has the session read the files again, from its next prompt on. */
  refresh(): Promise<void>;
}

/** Files of the workspace. Paths start at the working folder; nothing outside of the workspace is touched. */
export interface WorkspaceFiles {
  /** Undefined when there is no such file. Rejects with `permission_denied` for a path outside. */
  read(path: string): Promise<string | undefined>;
  /** Writes a file whole, makes its folders, and gives its absolute path. Rejects with `permission_denied` for a path outside. */
  write(path: string, text: string): Promise<string>;
}

export interface Clipboard {
  /** Rejects with `tool_failed` where there is no clipboard. */
  copy(text: string): Promise<void>;
}

/** What the permission rules say about a shell command that a command file holds. */
export interface ShellDecision {
  readonly behavior: 'allow' | 'ask' | 'deny';
  /** For the user, why. */
  readonly reason: string;
}

/** What a shell command said. */
export interface ShellOutput {
  /** Both streams as they came. */
  readonly output: string;
  /** Why it did not go well, e.g. `exit code 2`; missing when it did. */
  readonly failure?: string;
}

/** Shell commands inside of custom commands. */
export interface CommandShell {
  decide(command: string): Promise<ShellDecision>;
  /** Lets this very command run unasked for the rest of the session. */
  allow(command: string): Promise<void>;
  /** Runs it in the working folder with a deadline and a limit of what is kept of its output. */
  run(command: string, signal: AbortSignal): Promise<ShellOutput>;
}

/** What a reference became. */
export interface ReferenceText {
  readonly content: readonly ContentBlock[];
  /** Why something was left out or not read. */
  readonly warnings: readonly string[];
}

/** The files behind `@{path}` of custom commands, by the same rules as `@path` in a prompt (GAP-79). */
export interface ReferenceReader {
  /** A file, a folder or a glob. Rejects with `permission_denied` for a path outside and `invalid_payload` for a missing one. */
  read(path: string, signal: AbortSignal): Promise<ReferenceText>;
}
