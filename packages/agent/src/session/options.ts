import type { Model, ModelMessage } from '@qwen/models';
import type { AgentConfig, Budget, ContentBlock, Effort, PermissionMode, PromptPriority } from '@qwen/protocol';
import type { FileHistoryPort } from '../file-history-port.js';
import type { HookPort } from '../hook-port.js';
import type { SessionSource } from '../loop/hooks/session-start-hooks.js';
import type { ToolRequest } from '../loop/run-requested-tool.js';
import type { ModelPrices } from '../loop/turn-context.js';
import type { PermissionRules } from '../permission/rules.js';
import type {
  BackgroundPort,
  Clock,
  OutputSchema,
  PathResolver,
  PermissionPort,
  RuleStore,
  SessionLog,
} from '../ports.js';
import type { AnyTool } from '../tool.js';
import type { PromptOverrides } from './prompt-overrides.js';
import type { SessionLedger } from './session-ledger.js';

/** One message is one turn, unless a running turn takes it. */
export interface PromptMessage {
  readonly uuid: string;
  /** Text and images; other blocks are not sent to the model. */
  readonly content: string | readonly ContentBlock[];
  readonly overrides?: PromptOverrides;
  /** With `now` or `next`, a running turn takes it before its next model call. Default `later`. */
  readonly priority?: PromptPriority;
  /**
   * Set: only a running turn may take the message. Called once, with whether one did: it was taken, or the turn ended
   * or the session closed without it.
   */
  readonly onSteered?: (isTaken: boolean) => void;
}

/** Continues a turn that was cut short; `uuid` is the id of the new turn. */
export interface Continuation {
  readonly uuid: string;
  readonly content?: undefined;
}

export type Submission = PromptMessage | Continuation | ToolRequest;

/** Shown before the first turn, for example after a file was repaired. */
export interface SessionNotice {
  readonly code: string;
  readonly message: string;
}

/** Called only while the session is open. */
export interface AgentSessionOptions {
  readonly sessionId: string;
  readonly cwd: string;
  readonly model: string;
  /**
   * Called once per id when first needed, and again when the provider refuses credentials. If it rejects, the turn
   * or `setModel` fails with that error.
   */
  readonly createModel: (id: string) => Promise<Model>;
  readonly tools: readonly AnyTool[];
  /** Never changes, for provider caches. */
  readonly systemPrompt: string;
  /** The part of it that comes from files such as AGENTS.md; for `contextUsage()`. */
  readonly instructions?: string;
  readonly permissions: PermissionPort;
  readonly permissionMode: PermissionMode;
  readonly hooks?: HookPort;
  /** Missing: nothing runs in the background. */
  readonly background?: BackgroundPort;
  /** In tokens, for all models or by model. Default: known limits by model name, then {@link findWindow}. */
  readonly contextWindow?: number | ((model: string) => number | undefined);
  /** Asks the provider for the context window of a model whose name is not known. Called once per model. */
  readonly findWindow?: (model: string) => Promise<number | undefined>;
  /** Read at each start of a subagent; the first of two with one name is used. Missing: no subagents. */
  readonly agents?: () => readonly AgentConfig[];
  /** For SessionStart hooks. Default `startup`. */
  readonly source?: SessionSource;
  readonly rules: PermissionRules;
  readonly paths: PathResolver;
  /** Instructions for a file that a call touched, each once for a `scope`; '' for none. Takes a real path. */
  readonly instructionsFor?: (realPath: string, scope: object) => string;
  /** Missing: file changes cannot be undone. */
  readonly fileHistory?: FileHistoryPort;
  /** Missing: rules end with the session. */
  readonly ruleStore?: RuleStore;
  /** Absolute path of the program's data directory; tools never read tokens in it. */
  readonly dataDir?: string;
  /** What `~/` in rules expands to. Missing: such rules throw `usage`. */
  readonly homeDirectory?: string;
  readonly log: SessionLog;
  readonly history?: readonly ModelMessage[];
  readonly notices?: readonly SessionNotice[];
  readonly clock: Clock;
  /** Default {@link DEFAULT_MAX_MODEL_CALLS}; `Infinity`: no limit. */
  readonly maxTurns?: number;
  readonly budget?: Budget;
  /** For the whole session, earlier runs included. Default: unlimited. */
  readonly sessionTokenLimit?: number;
  readonly ledger?: SessionLedger;
  readonly output?: OutputSchema;
  readonly fallbackModels?: readonly string[];
  /** Default: costs are unknown. */
  readonly prices?: ModelPrices;
  readonly effort?: Effort;
}
