import type { ToolKind } from '@qwen/protocol';
import type { ResolvedPath } from '../ports.js';
import type { ShellReading } from './shell/shell-reading.js';

/** A file that a call would touch. */
export interface CallPath extends ResolvedPath {
  readonly access: 'read' | 'write';
}

/** A shell command that was read before it is decided on. */
export interface ShellFacts {
  readonly reading: ShellReading;
  /** The real path of each file that the reading names. */
  readonly paths: ReadonlyMap<string, ResolvedPath>;
}

/** What a decision needs to know about one tool call. */
export interface CallFacts {
  readonly toolName: string;
  readonly aliases: readonly string[];
  readonly kind: ToolKind;
  /** Whether the user lets this tool run without a question. */
  readonly isTrusted?: boolean;
  /** Whether it is a question to a person, which nothing can answer in their place. */
  readonly isQuestion?: boolean;
  readonly paths: readonly CallPath[];
  /** The shell command that would run. */
  readonly command?: string;
  /** What it does. Without it a command counts as one that cannot be read. */
  readonly shell?: ShellFacts;
}
