import {
  type AgentConfig,
  AgentError,
  type ContentBlock,
  contentText,
  defined,
  type SessionRecord,
} from '@qwen/protocol';
import type { AgentEvent, TurnOutcome } from '../events.js';
import { unlessAborted } from '../loop/abortable.js';
import { toHookContext } from '../loop/hooks/hook-text.js';
import { runHooks } from '../loop/hooks/run-hooks.js';
import { runPrompt } from '../loop/run-prompt.js';
import { type LiveSettings, parentOf, type TurnContext } from '../loop/turn-context.js';
import { TurnControl } from '../loop/turn-control.js';
import { TurnTally } from '../loop/turn-tally.js';
import type { SubagentTask, ToolResult } from '../tool.js';
import type { SubagentCall } from '../tool-view.js';
import { AgentTools } from './agent-tools.js';
import { findAgent, type KnownAgent } from './known-agents.js';
import { toReport } from './subagent-report.js';

const SUBAGENT_MAX_MODEL_CALLS = 100;

export interface SubagentStart {
  readonly callId: string;
  readonly context: TurnContext;
  readonly agents: readonly AgentConfig[];
}

/**
 * Runs a subagent with its own conversation and returns its report. Rules, mode, approvals, hooks and budget of the
 * turn apply, as do its own limits; it gets no tools that the session lacks. Its events and records name the call.
 * Never rejects; ends with its turn.
 */
export async function runSubagent(task: SubagentTask, start: SubagentStart): Promise<ToolResult> {
  const { clock, tally: turnTally, control: turnControl } = start.context;
  const startedAtMs = clock.nowMs();
  const tally = new TurnTally(turnTally);
  const control = new TurnControl(turnControl);
  try {
    const agent = findAgent(start.agents, task.agent);
    using deadline = new Deadline(agent.runConfig?.maxTimeMinutes, control);
    const context = createContext(agent, { start, tally, control });
    const at = clock.isoTime();
    const content = await withStartContext(task.prompt, agent.name, context);
    await context.record({ type: 'user', uuid: crypto.randomUUID(), at, content });
    const summary = await runToEnd(context);
    const durationMs = clock.nowMs() - startedAtMs;
    const isLate = summary.outcome.type === 'interrupted' && deadline.isOver && !turnControl.signal.aborted;
    return toReport({
      ...summary,
      ...(isLate && { outcome: { type: 'max_time' } }),
      task,
      agent,
      tally,
      durationMs,
      callId: start.callId,
    });
  } catch (thrown) {
    return { content: `The subagent failed: ${AgentError.from(thrown).message}`, isError: true };
  } finally {
    control.abandon();
  }
}

async function withStartContext(prompt: string, agent: string, context: TurnContext) {
  const parentToolUseId = parentOf(context) ?? '';
  const { additionalContext = '' } = await runHooks(
    { event: 'SubagentStart', agent, parentToolUseId, prompt },
    context,
  );
  if (additionalContext.trim() === '') return prompt;
  const text = toHookContext('SubagentStart', additionalContext);
  const content: ContentBlock[] = [
    { type: 'text', text: prompt },
    { type: 'text', text },
  ];
  return content;
}

interface SubagentParts {
  readonly start: SubagentStart;
  readonly tally: TurnTally;
  readonly control: TurnControl;
}

function createContext(agent: KnownAgent, { start, tally, control }: SubagentParts): TurnContext {
  const { callId, context: turn } = start;
  const {
    output: _output,
    startSubagent: _startSubagent,
    takeMessages: _takeMessages,
    takeNotes: _takeNotes,
    ...shared
  } = turn;
  const history = turn.history.createForSubagent();
  const tools = new AgentTools(agent);
  const { temp, topP } = agent.modelConfig ?? {};
  for (const message of tools.problems(turn.settings().tools)) {
    turn.showLive({ type: 'notice', code: 'unknown_agent_tool', message, parentToolUseId: callId });
  }
  return {
    ...shared,
    systemPrompt: systemPromptFor(agent, turn),
    maxModelCalls: agent.runConfig?.maxTurns ?? SUBAGENT_MAX_MODEL_CALLS,
    control,
    tally,
    history,
    subagent: { name: agent.name, parentToolUseId: callId },
    sampling: {
      ...turn.sampling,
      ...defined({ temperature: temp, topP }),
    },
    settings: () => settingsFor(agent, tools, turn.settings()),
    record: async (record) => {
      await turn.record(attributed(record, callId));
      history.add(record);
    },
  };
}

function settingsFor(agent: KnownAgent, tools: AgentTools, session: LiveSettings): LiveSettings {
  const own = agent.model ?? agent.modelConfig?.model ?? 'inherit';
  return {
    ...session,
    tools: tools.choose(session.tools),
    model: own === 'inherit' ? session.model : own,
    ...(agent.isReadOnly && { permissionMode: 'plan' }),
  };
}

function systemPromptFor({ name, systemPrompt }: AgentConfig, turn: TurnContext): string {
  return [
    systemPrompt ?? turn.systemPrompt,
    `You are the subagent ${name}, working in ${turn.cwd}. No one answers questions: decide yourself and say so.`,
    'The agent that gave you the task reads your last message only. Make it a self-contained report.',
  ].join('\n\n');
}

function attributed(record: SessionRecord, callId: string): SessionRecord {
  switch (record.type) {
    case 'user':
    case 'assistant':
    case 'tool_result':
    case 'compaction':
      return { ...record, parent_tool_use_id: callId };
    default:
      return record;
  }
}

interface RunSummary {
  readonly outcome: TurnOutcome;
  readonly lastText: string;
  readonly toolCalls: readonly SubagentCall[];
}

/** Waits until each event is read: a slow reader slows subagents too. */
async function runToEnd(context: TurnContext): Promise<RunSummary> {
  const run = runPrompt(context);
  const calls = new CallTally();
  let lastText = '';
  for (;;) {
    const step = await run.next();
    if (step.done === true) return { outcome: step.value, lastText, toolCalls: calls.all };
    calls.note(step.value);
    if (step.value.type === 'message_end') lastText = contentText(step.value.content, '') || lastText;
    await unlessAborted(context.show(step.value), context.control.signal);
  }
}

const LONGEST_TIMER_MS = 2_147_483_647;

class Deadline implements Disposable {
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  constructor(minutes: number | undefined, control: TurnControl) {
    const limitMs = (minutes ?? Number.POSITIVE_INFINITY) * 60_000;
    if (limitMs > LONGEST_TIMER_MS) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      control.abandon();
    }, limitMs);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

const MAX_CALLS = 200;

class CallTally {
  readonly #calls = new Map<string, SubagentCall>();

  get all(): readonly SubagentCall[] {
    return [...this.#calls.values()];
  }

  note(event: AgentEvent): void {
    if (event.type === 'tool_pending') {
      const { callId, name } = event;
      this.#calls.set(callId, { callId, name });
      const [oldest] = this.#calls.keys();
      if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest);
    } else if (event.type === 'tool_end') {
      const { callId, status } = event.outcome;
      const known = this.#calls.get(callId);
      if (known !== undefined) this.#calls.set(callId, { ...known, status });
    }
  }
}
