import type { ContentBlock } from '@qwen/protocol';

export interface MemoryFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

export interface MemoryFiles {
  /** Reads the files in effect; later ones take precedence. */
  list(): Promise<readonly MemoryFile[]>;
  /** Returns the path of the changed file. */
  add(entry: string, scope: 'project' | 'user'): Promise<string>;
  /** Reloads the files before the next prompt. */
  refresh(): Promise<void>;
}

/** Paths are relative to the working folder. A path outside the workspace rejects with `permission_denied`. */
export interface WorkspaceFiles {
  read(path: string): Promise<string | undefined>;
  /** Writes atomically, creates parent folders and returns the absolute path. */
  write(path: string, text: string): Promise<string>;
}

export interface Clipboard {
  /**
   * `terminal`: the text was sent to the terminal, which does not confirm it. Rejects with `tool_failed` if there is
   * no clipboard.
   */
  copy(text: string): Promise<'clipboard' | 'terminal'>;
}

export interface ShellDecision {
  readonly behavior: 'allow' | 'ask' | 'deny';
  readonly reason: string;
}

export interface ShellOutput {
  /** stdout, then stderr. */
  readonly output: string;
  /** For example `exit code 2`; missing on success. */
  readonly failure?: string;
}

export interface CommandShell {
  decide(command: string): Promise<ShellDecision>;
  /** Allows this exact command for the rest of the session. */
  allow(command: string): Promise<void>;
  /** With a timeout and an output limit. */
  run(command: string, signal: AbortSignal): Promise<ShellOutput>;
}

export interface ReferenceText {
  readonly content: readonly ContentBlock[];
  readonly warnings: readonly string[];
}

export interface ReferenceReader {
  /** Accepts a file, folder or glob. Rejects with `permission_denied` or `invalid_payload`. */
  read(path: string, signal: AbortSignal): Promise<ReferenceText>;
}
