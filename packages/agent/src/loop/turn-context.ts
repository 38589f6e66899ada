import type { Model, ModelRequest } from '@qwen/models';
import type { Effort, PermissionMode, PermissionUpdate, SessionRecord, Usage } from '@qwen/protocol';
import type { ModelHistory } from '../conversation/model-history.js';
import type { AgentEvent } from '../events.js';
import type { FileHistoryPort } from '../file-history-port.js';
import type { HookPort } from '../hook-port.js';
import type { SessionRules } from '../permission/session-rules.js';
import type { Clock, PathResolver, PermissionPort } from '../ports.js';
import type { AnyTool, StartSubagent } from '../tool.js';
import type { ContextWindows } from './compaction/context-window.js';
import type { StructuredOutput } from './structured-output.js';
import type { TurnBudget } from './turn-budget.js';
import type { TurnControl } from './turn-control.js';
import type { TurnTally } from './turn-tally.js';

/** Ends an endless loop of tool calls where nobody watches. */
export const DEFAULT_MAX_MODEL_CALLS = 1000;

/** Read for each model call and each decision. */
export interface LiveSettings {
  readonly model: string;
  readonly tools: readonly AnyTool[];
  readonly permissionMode: PermissionMode;
  /** Default: up to the provider. */
  readonly effort?: Effort;
}

/** The `task` call that it works for. */
export interface SubagentIdentity {
  readonly name: string;
  readonly parentToolUseId: string;
}

export interface ModelPrices {
  /** Whether the cost of an answer will be known: by a price, or because the provider states it. */
  isKnown(model: string): boolean;
  /** In US dollars; undefined without a price. */
  costOf(model: string, usage: Usage): number | undefined;
}

/** The dependencies of a turn, or of a subagent in it. */
export interface TurnContext {
  readonly cwd: string;
  readonly systemPrompt: string;
  readonly maxModelCalls: number;
  readonly control: TurnControl;
  readonly tally: TurnTally;
  /** Shared with subagents. */
  readonly budget: TurnBudget;
  /** Undefined for text answers and subagents. */
  readonly output?: StructuredOutput;
  readonly history: ModelHistory;
  readonly rules: SessionRules;
  /** Throws `usage` for an invalid rule. */
  readonly updatePermissions: (updates: readonly PermissionUpdate[]) => void;
  /** Ends plan mode; returns the mode that applies now. */
  readonly leavePlanMode: () => PermissionMode;
  readonly permissions: PermissionPort;
  readonly hooks: HookPort;
  readonly paths: PathResolver;
  readonly instructionsFor?: (realPath: string, scope: object) => string;
  readonly fileHistory?: FileHistoryPort;
  readonly clock: Clock;
  readonly settings: () => LiveSettings;
  readonly loadModel: (id: string) => Promise<Model>;
  /** The next `loadModel` creates the model again, with fresh credentials. */
  readonly dropModel: (id: string) => void;
  readonly fallbackModels: readonly string[];
  readonly prices?: ModelPrices;
  /** What happened outside of the turn, for the model. Missing for subagents. */
  readonly takeNotes?: () => readonly string[];
  readonly sampling: Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens'>;
  readonly windows: ContextWindows;
  readonly subagent?: SubagentIdentity;
  /** Emits and records the queued messages for this turn. Missing for subagents. */
  readonly takeMessages?: (context: TurnContext) => AsyncGenerator<AgentEvent, void>;
  readonly startSubagent?: (callId: string) => StartSubagent;
  /** Records, then updates the history. Rejects with an error of the log. */
  readonly record: (record: SessionRecord) => Promise<void>;
  readonly showLive: (event: AgentEvent) => void;
  readonly show: (event: AgentEvent) => Promise<void>;
}

export function parentOf({ subagent }: TurnContext): string | null {
  return subagent?.parentToolUseId ?? null;
}
