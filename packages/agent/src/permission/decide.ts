import { AgentError, type PermissionMode } from '@qwen/protocol';
import type { ResolvedPath } from '../ports.js';
import type { ToolKind } from '../tool.js';
import type { PermissionRules } from './rules.js';

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

/** Where rules are anchored. All absolute. */
export interface RuleAnchors {
  /** The workspace as it was named, and its real path. */
  readonly root: string;
  readonly realRoot: string;
  /** What `~/` stands for. */
  readonly home?: string;
}

export interface DecisionInput {
  readonly mode: PermissionMode;
  readonly rules: PermissionRules;
  readonly call: CallFacts;
  readonly anchors: RuleAnchors;
}

/** The step of DESIGN §6 that decided. */
export type DecidedBy =
  | 'deny_rule'
  | 'ask_rule'
  | 'plan'
  | 'yolo'
  | 'allow_rule'
  | 'auto-edit'
  | 'read_only'
  | 'default';

export interface Decision {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly decidedBy: DecidedBy;
  /** The rule that decided, as it was written. */
  readonly rule?: string;
  /** One sentence for people and for the model. */
  readonly reason: string;
  /** The path outside of the workspace, or the protected file, that makes us ask. */
  readonly blockedPath: string | null;
}

/** Decides one tool call. Pure: the same input gives the same answer. */
export function decide(input: DecisionInput): Decision {
  throw new AgentError('internal', input.mode);
}
