import type { Model, ModelRequest } from '@qwen/models';
import type { Effort, PermissionMode, PermissionUpdate, SessionRecord } from '@qwen/protocol';
import type { ModelHistory } from '../conversation/model-history.js';
import type { AgentEvent } from '../events.js';
import type { HookPort } from '../hook-port.js';
import type { SessionRules } from '../permission/session-rules.js';
import type { Clock, PathResolver, PermissionPort } from '../ports.js';
import type { AnyTool, StartSubagent } from '../tool.js';
import type { StructuredOutput } from './structured-output.js';
import type { TurnBudget } from './turn-budget.js';
import type { TurnControl } from './turn-control.js';
import type { TurnTally } from './turn-tally.js';

/** Model calls in one turn where nothing is configured: an endless loop of tool calls ends here (F79). */
export const DEFAULT_MAX_MODEL_CALLS = 100;

/** What the app may change while a turn runs; read afresh for each model call and each decision. */
export interface LiveSettings {
  readonly model: string;
  readonly tools: readonly AnyTool[];
  readonly permissionMode: PermissionMode;
  /** How much the model shall think; as the provider likes when missing. */
  readonly effort?: Effort;
}

/** The subagent that works, and the call of the task tool that it works for. */
export interface SubagentIdentity {
  readonly name: string;
  readonly parentToolUseId: string;
}

/** What one turn works with: of the main agent, or of a subagent inside of it. */
export interface TurnContext {
  readonly cwd: string;
  readonly systemPrompt: string;
  readonly maxModelCalls: number;
  readonly control: TurnControl;
  readonly tally: TurnTally;
  /** Of the whole prompt: a subagent works on the budget of its turn. */
  readonly budget: TurnBudget;
  /** The output that this prompt must have; undefined where words will do, and for subagents. */
  readonly output?: StructuredOutput;
  readonly history: ModelHistory;
  readonly rules: SessionRules;
  /** Takes over what an answer changed. Throws `usage` for what is not a rule. */
  readonly updatePermissions: (updates: readonly PermissionUpdate[]) => void;
  /** Ends plan mode, if it is on, for the mode before it; gives the mode that is on now. */
  readonly leavePlanMode: () => PermissionMode;
  readonly permissions: PermissionPort;
  readonly hooks: HookPort;
  readonly paths: PathResolver;
  readonly clock: Clock;
  readonly settings: () => LiveSettings;
  readonly loadModel: (id: string) => Promise<Model>;
  /** Has `loadModel` make this model anew, with credentials that are fresh where they can be. */
  readonly dropModel: (id: string) => void;
  /** Who answers when the model of the settings fails, in order. */
  readonly fallbackModels: readonly string[];
  /** How the model is to choose its words, and how many; the provider's defaults where members are missing. */
  readonly sampling: Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens'>;
  /** Tokens that fit into the window of the model; what we know of the model when missing. */
  readonly contextWindow?: number;
  /** Set when a subagent works; undefined for the main agent. */
  readonly subagent?: SubagentIdentity;
  /** Starts subagents for a tool call; undefined where there are none, as inside of a subagent. */
  readonly startSubagent?: (callId: string) => StartSubagent;
  /** Writes a record and then makes it part of the conversation. Rejects with the error of the log. */
  readonly record: (record: SessionRecord) => Promise<void>;
  /** Shows an event at once, out of the order of the turn: it must not need to wait for anything. */
  readonly showLive: (event: AgentEvent) => void;
  /** Like `showLive`; resolves once the reader has the event, or never when nobody reads any more. */
  readonly show: (event: AgentEvent) => Promise<void>;
}

/** The call of the task tool that what happens here belongs to; null for the main agent. */
export function parentOf({ subagent }: TurnContext): string | null {
  return subagent?.parentToolUseId ?? null;
}
