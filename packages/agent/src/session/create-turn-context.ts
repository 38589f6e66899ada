import type { PermissionMode, PermissionUpdate, SessionRecord } from '@qwen/protocol';
import type { ModelHistory } from '../conversation/model-history.js';
import { NO_HOOKS } from '../hook-port.js';
import type { ContextWindows } from '../loop/compaction/context-window.js';
import { StructuredOutput } from '../loop/structured-output.js';
import { TurnBudget } from '../loop/turn-budget.js';
import { DEFAULT_MAX_MODEL_CALLS, type LiveSettings, type TurnContext } from '../loop/turn-context.js';
import type { TurnControl } from '../loop/turn-control.js';
import type { TurnTally } from '../loop/turn-tally.js';
import type { SessionRules } from '../permission/session-rules.js';
import { unknownToolMessage } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';
import type { LiveEvents } from './live-events.js';
import type { AgentSessionOptions } from './options.js';
import { OverriddenSettings, type PromptOverrides } from './prompt-overrides.js';
import type { SessionLedger } from './session-ledger.js';
import type { SessionSettings } from './session-settings.js';

export interface SessionState {
  readonly options: AgentSessionOptions;
  readonly settings: SessionSettings;
  readonly history: ModelHistory;
  readonly rules: SessionRules;
  readonly ledger: SessionLedger;
  readonly windows: ContextWindows;
  readonly live: LiveEvents;
  readonly record: (record: SessionRecord) => Promise<void>;
  readonly updatePermissions: (updates: readonly PermissionUpdate[]) => void;
  readonly leavePlanMode: () => PermissionMode;
}

export interface TurnParts extends Pick<TurnContext, 'control' | 'tally' | 'budget' | 'takeMessages'> {
  readonly overrides?: PromptOverrides | undefined;
}

/** Rejects if a rule or its path is invalid. */
export async function createTurnContext(
  { overrides = {}, ...parts }: TurnParts,
  session: SessionState,
): Promise<TurnContext> {
  const { options, settings, live, record, updatePermissions, leavePlanMode } = session;
  const { cwd, systemPrompt, permissions, paths, clock, agents, background } = options;
  const output = options.output && new StructuredOutput(options.output);
  const ownTools = output === undefined ? [] : [output.tool];
  const overridden = new OverriddenSettings(overrides);
  warnAboutUnknownTools(overridden, session);
  const context: TurnContext = {
    ...parts,
    ...(output !== undefined && { output }),
    fallbackModels: options.fallbackModels ?? [],
    ...(options.prices !== undefined && { prices: options.prices }),
    cwd,
    systemPrompt,
    maxModelCalls: options.maxTurns ?? DEFAULT_MAX_MODEL_CALLS,
    history: session.history,
    rules: await session.rules.anchored(),
    updatePermissions,
    leavePlanMode,
    permissions,
    hooks: options.hooks ?? NO_HOOKS,
    paths,
    ...(options.instructionsFor !== undefined && { instructionsFor: options.instructionsFor }),
    ...(options.fileHistory !== undefined && { fileHistory: options.fileHistory }),
    clock,
    windows: session.windows,
    settings: () => withMore(overridden.apply(settings.current), ownTools),
    sampling: overridden.sampling,
    loadModel: (id) => settings.loadModel(id),
    dropModel: (id) => settings.dropModel(id),
    record,
    showLive: (event) => live.push(event),
    show: (event) => live.show(event),
    ...(background !== undefined && { takeNotes: () => background.takeNotes() }),
    ...(agents !== undefined && {
      startSubagent: (callId) => async (task) => {
        const { runSubagent } = await import('../agents/run-subagent.js');
        return runSubagent(task, { callId, context, agents: agents() });
      },
    }),
  };
  return context;
}

/** No list can exclude the output tool. */
function withMore(settings: LiveSettings, more: readonly AnyTool[]): LiveSettings {
  return more.length === 0 ? settings : { ...settings, tools: [...settings.tools, ...more] };
}

function warnAboutUnknownTools(overridden: OverriddenSettings, { settings, live }: SessionState): void {
  for (const name of overridden.unknownTools(settings.tools)) {
    const message = unknownToolMessage('The prompt', name, settings.tools);
    live.push({ type: 'notice', code: 'unknown_tool_name', message, parentToolUseId: null });
  }
}

export function createTurnBudget(
  { control, tally }: { readonly control: TurnControl; readonly tally: TurnTally },
  { options, ledger }: Pick<SessionState, 'options' | 'ledger'>,
): TurnBudget {
  const { budget = {}, sessionTokenLimit: limit, clock } = options;
  return new TurnBudget({
    budget,
    tally,
    control,
    nowMs: () => clock.nowMs(),
    ...(limit !== undefined && { sessionTokens: { limit, spent: ledger.tokens } }),
  });
}
