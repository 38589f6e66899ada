import type { ResolvedPath } from '../ports.js';
import type { ToolKind } from '../tool.js';

/** A file that a call would touch. */
export interface CallPath extends ResolvedPath {
  readonly access: 'read' | 'write';
}

/** What a decision needs to know about one tool call. */
export interface CallFacts {
  readonly toolName: string;
  readonly aliases: readonly string[];
  readonly kind: ToolKind;
  readonly paths: readonly CallPath[];
  /** The shell command that would run. */
  readonly command?: string;
}
