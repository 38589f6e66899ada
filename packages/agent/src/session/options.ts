import type { Model, ModelMessage } from '@qwen/models';
import type { AgentConfig, Budget, ContentBlock, Effort, PermissionMode } from '@qwen/protocol';
import type { HookPort } from '../hook-port.js';
import type { SessionSource } from '../loop/hooks/session-start-hooks.js';
import type { ToolRequest } from '../loop/run-requested-tool.js';
import type { PermissionRules } from '../permission/rules.js';
import type { Clock, OutputSchema, PathResolver, PermissionPort, RuleStore, SessionLog } from '../ports.js';
import type { AnyTool } from '../tool.js';
import type { PromptOverrides } from './prompt-overrides.js';
import type { SessionLedger } from './session-ledger.js';

/** What somebody says to the agent. One message is one turn. */
export interface PromptMessage {
  /** The id under which the message stands in the session file and on the stream. */
  readonly uuid: string;
  /** Text, or text and images; blocks of other kinds are not shown to the model. */
  readonly content: string | readonly ContentBlock[];
  /** What holds for this prompt alone. Default: the settings of the session. */
  readonly overrides?: PromptOverrides;
}

/** Goes on with a turn that was cut short, without a new message; `uuid` names the turn. */
export interface Continuation {
  readonly uuid: string;
  readonly content?: undefined;
}

/** What becomes a turn. */
export type Submission = PromptMessage | Continuation | ToolRequest;

/** Something to tell a person before the first turn, such as a repaired session file. */
export interface SessionNotice {
  /** Stable, for programs. */
  readonly code: string;
  readonly message: string;
}

/** All that a session is made of. Functions and ports are called only while the session is open. */
export interface AgentSessionOptions {
  readonly sessionId: string;
  /** Absolute path of the workspace. */
  readonly cwd: string;
  /** The model to begin with. */
  readonly model: string;
  /**
   * Makes the model of this id; called when first needed and once an id, and again when the provider refuses its
   * credentials in the middle of a session (F64). It may reject: the turn then ends with that error, and `setModel`
   * rejects with it.
   */
  readonly createModel: (id: string) => Promise<Model>;
  readonly tools: readonly AnyTool[];
  /** Sent unchanged with each model call, so that provider caches hit. */
  readonly systemPrompt: string;
  readonly permissions: PermissionPort;
  readonly permissionMode: PermissionMode;
  /** Default: nobody has hooks. */
  readonly hooks?: HookPort;
  /** Tokens that fit into the window of the model. Default: what is known of models by their names (GAP-59). */
  readonly contextWindow?: number;
  /**
   * The subagents that are configured now, beside the general one; of two with one name the first counts. AskResult at the
   * start of each. Without it there are none, whatever tools there are.
   */
  readonly agents?: () => readonly AgentConfig[];
  /** How the session came about, for SessionStart hooks. Default `startup`. */
  readonly source?: SessionSource;
  readonly rules: PermissionRules;
  /** Finds the real paths on which decisions are made. */
  readonly paths: PathResolver;
  /** Keeps rules beyond the session; without it they end with it. */
  readonly ruleStore?: RuleStore;
  /** Absolute path of the folder in which this program keeps its own files: its tokens are never read by a tool. */
  readonly ownFolder?: string;
  /** Absolute path that `~/` in rules stands for. Without it such rules are refused with `usage`. */
  readonly homeDirectory?: string;
  readonly log: SessionLog;
  /** The conversation so far, from {@link foldRecords}. */
  readonly history?: readonly ModelMessage[];
  readonly notices?: readonly SessionNotice[];
  readonly clock: Clock;
  /** Model calls in one turn. Default {@link DEFAULT_MAX_MODEL_CALLS}. */
  readonly maxTurns?: number;
  /** For each prompt. Default: no limits. */
  readonly budget?: Budget;
  /** Tokens of the session as a whole, earlier runs included (GAP-59). Default: no limit. */
  readonly sessionTokenLimit?: number;
  /** What the session has used so far, from its records. Default: nothing. */
  readonly ledger?: SessionLedger;
  /** What the answer to each prompt must be. Default: words. */
  readonly output?: OutputSchema;
  /** Models that answer when the chosen one fails, in order. Default: none. */
  readonly fallbackModels?: readonly string[];
  /** How much the model shall think. Default: as the provider likes. */
  readonly effort?: Effort;
}
