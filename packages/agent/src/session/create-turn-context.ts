import type { PermissionUpdate, SessionRecord } from '@qwen/protocol';
import { NO_HOOKS } from '../hook-port.js';
import { StructuredOutput } from '../loop/structured-output.js';
import { TurnBudget } from '../loop/turn-budget.js';
import type { TurnContext } from '../loop/turn-context.js';
import type { TurnControl } from '../loop/turn-control.js';
import type { TurnTally } from '../loop/turn-tally.js';
import type { SessionRules } from '../permission/session-rules.js';
import type { Conversation } from './conversation.js';
import type { LiveEvents } from './live-events.js';
import { type AgentSessionOptions, DEFAULT_MAX_MODEL_CALLS } from './options.js';
import type { SessionLedger } from './session-ledger.js';
import type { SessionSettings } from './session-settings.js';

/** What outlives a turn and is lent to each. */
export interface SessionState {
  readonly options: AgentSessionOptions;
  readonly settings: SessionSettings;
  readonly conversation: Conversation;
  readonly rules: SessionRules;
  readonly ledger: SessionLedger;
  readonly live: LiveEvents;
  readonly record: (record: SessionRecord) => Promise<void>;
  readonly updatePermissions: (updates: readonly PermissionUpdate[]) => void;
}

/** What belongs to one turn alone. */
export type TurnParts = Pick<TurnContext, 'control' | 'tally' | 'budget'>;

/** What a turn works with. Rejects when a rule or its path cannot be read. */
export async function createTurnContext(parts: TurnParts, session: SessionState): Promise<TurnContext> {
  const { options, settings, live, record, updatePermissions } = session;
  const { cwd, systemPrompt, permissions, paths, clock, agents, contextWindow } = options;
  const output = options.output && new StructuredOutput(options.output);
  const ownTools = output === undefined ? [] : [output.tool];
  const context: TurnContext = {
    ...parts,
    ...(output !== undefined && { output }),
    fallbackModels: options.fallbackModels ?? [],
    cwd,
    systemPrompt,
    maxModelCalls: options.maxTurns ?? DEFAULT_MAX_MODEL_CALLS,
    conversation: session.conversation,
    rules: await session.rules.anchored(),
    updatePermissions,
    permissions,
    hooks: options.hooks ?? NO_HOOKS,
    paths,
    clock,
    settings: () => settings.current(ownTools),
    loadModel: (id) => settings.loadModel(id),
    dropModel: (id) => settings.dropModel(id),
    record,
    showLive: (event) => live.push(event),
    show: (event) => live.show(event),
    ...(contextWindow !== undefined && { contextWindow }),
    ...(agents !== undefined && {
      startSubagent: (callId) => async (task) => {
        const { runSubagent } = await import('../agents/run-subagent.js');
        return runSubagent(task, { callId, context, agents: agents() });
      },
    }),
  };
  return context;
}

/** The budget of one prompt, with what is left to the session as a whole. Who made it disposes of it. */
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
