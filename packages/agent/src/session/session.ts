import type { ModelMessage } from '@qwen/models';
import {
  AgentError,
  type ConversationRecord,
  type Effort,
  type PermissionMode,
  type PermissionUpdate,
  type SessionRecord,
} from '@qwen/protocol';
import { type ContextUsage, contextUsage } from '../conversation/context-usage.js';
import { ModelHistory } from '../conversation/model-history.js';
import type { AgentEvent } from '../events.js';
import { NO_HOOKS, type SessionEndReason } from '../hook-port.js';
import type { CompactionSizes } from '../loop/compaction/compact.js';
import { knownWindow } from '../loop/compaction/context-window.js';
import { runHooks } from '../loop/hooks/run-hooks.js';
import { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import type { ToolRequest } from '../loop/run-requested-tool.js';
import { type InterruptCause, TurnControl } from '../loop/turn-control.js';
import { TurnTally } from '../loop/turn-tally.js';
import type { Explanation } from '../permission/explain.js';
import type { SessionRules } from '../permission/session-rules.js';
import type { AnyTool } from '../tool.js';
import { createTurnBudget, createTurnContext, type SessionState } from './create-turn-context.js';
import { addNote, clearHistory, compactHistory, recordsOf, restoreHistory } from './history-tasks.js';
import { Inbox, type InboxEntry } from './inbox.js';
import { LiveEvents } from './live-events.js';
import type { AgentSessionOptions, PromptMessage, Submission } from './options.js';
import { SessionLedger } from './session-ledger.js';
import { SessionPermissions } from './session-permissions.js';
import { SessionSettings } from './session-settings.js';
import { createSessionTask, type SessionTask, type SessionTaskWork } from './session-task.js';
import { runSessionTurn } from './session-turn.js';
import { toTitle } from './title.js';
import { withLiveEvents } from './with-live-events.js';

/**
 * One conversation with the agent: owns the inbox, the current turn with its switch, and the log. The constructor
 * throws `usage` when a rule or its path cannot be read. Whoever made it calls `close()`.
 */
export class AgentSession {
  readonly sessionId: string;
  readonly #options: AgentSessionOptions;
  readonly #settings: SessionSettings;
  readonly #history: ModelHistory;
  readonly #live = new LiveEvents();
  readonly #inbox = new Inbox(() => this.#live.wake());
  readonly #ledger: SessionLedger;
  readonly #opening: SessionStartHooks;
  readonly #permissions: SessionPermissions;
  #turn: TurnControl | undefined;
  #isReading = false;
  #closing: Promise<void> | undefined;

  constructor(options: AgentSessionOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#settings = new SessionSettings(options);
    this.#history = new ModelHistory(options.history);
    this.#permissions = new SessionPermissions(options, (code, message) => this.#tell(code, message));
    this.#ledger = options.ledger ?? new SessionLedger();
    this.#opening = new SessionStartHooks(options.source ?? 'startup');
  }

  /** The model of the next model call. */
  get model(): string {
    return this.#settings.model;
  }

  /** What the session has used so far. */
  get ledger(): SessionLedger {
    return this.#ledger;
  }

  get permissionMode(): PermissionMode {
    return this.#settings.permissionMode;
  }

  get tools(): readonly AnyTool[] {
    return this.#settings.tools;
  }

  /**
   * Queues a prompt; prompts are answered in order. Throws `overloaded` when 32 wait already (GAP-09), and
   * `channel_closed` after `endInput()` or `close()`.
   */
  submit(message: PromptMessage): void {
    this.#inbox.submit(message);
  }

  /**
   * Queues the rest of a turn that was cut short, without a new message; `turnId` names it. Gives why not when nothing
   * is unfinished or something else comes first. Throws `channel_closed` like `submit()`.
   */
  continueLastTurn(turnId: string): { readonly refused?: string } {
    if (this.#turn !== undefined || !this.#inbox.isEmpty) return { refused: 'A turn is under way.' };
    if (!this.#ledger.hasUnfinishedTurn) return { refused: 'The last turn came to its end.' };
    this.#inbox.queue({ uuid: turnId });
    return {};
  }

  /** Queues a call of a tool that the app wants, as a turn. Throws like {@link submit}. */
  runTool(request: ToolRequest): void {
    this.#inbox.submit(request);
  }

  /** The conversation as the model reads it, every call answered. A copy. */
  get messages(): readonly ModelMessage[] {
    return this.#history.snapshot();
  }

  /** Records that tell the conversation, for {@link restore}; their ids are new. */
  records(): ConversationRecord[] {
    return recordsOf(this.#history, { at: this.#options.clock.isoTime(), model: this.model });
  }

  /**
   * Empties the conversation; the records of it stay. Waits for its turn in the inbox, as do the three below; they reject
   * with `overloaded` when too many wait, with `channel_closed` after `endInput()` or `close()`, and with the error of the
   * log.
   */
  clear(): Promise<void> {
    return this.#queue(clearHistory);
  }

  /** Replaces the conversation by that of these records. What was used so far stays used. */
  restore(records: readonly SessionRecord[]): Promise<void> {
    return this.#queue(restoreHistory(records));
  }

  /** Adds a note that nobody said; the model reads it with the next prompt. */
  inject(text: string): Promise<void> {
    return this.#queue(addNote(text));
  }

  /**
   * Has the older part of the conversation summed up. Undefined when that would be worth nothing. Rejects also with the
   * error of the model, `hook_blocked`, `budget_exceeded`, and `aborted` when it is interrupted; nothing changes then.
   */
  compact(): Promise<CompactionSizes | undefined> {
    return this.#queue(compactHistory);
  }

  async #queue<Result>(work: SessionTaskWork<Result>): Promise<Result> {
    const { task, done } = createSessionTask(work);
    this.#inbox.submit(task);
    return done;
  }

  /** No more prompts come: `events()` ends once everything queued is answered. */
  endInput(): void {
    this.#inbox.end();
  }

  /**
   * Everything that happens, in order. Pull-driven: nothing runs that nobody reads, and a slow reader slows the
   * model. Leaving the loop stops the running turn. Throws `already_reading` when somebody reads already.
   */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    if (this.#isReading) throw new AgentError('already_reading', 'The session has a reader already.');
    this.#isReading = true;
    const stop = () => this.#turn?.interrupt({ by: 'shutdown', reason: 'Nobody reads the session any more.' });
    try {
      for (const notice of this.#options.notices ?? []) yield { type: 'notice', ...notice, parentToolUseId: null };
      for (;;) {
        yield* this.#live.take();
        const entry = this.#inbox.take();
        if (entry !== undefined) yield* withLiveEvents(this.#work(entry), this.#live, stop);
        else if (!this.#inbox.isEnded) await this.#live.wait();
        else if (this.#live.isEmpty) return;
      }
    } finally {
      this.#isReading = false;
    }
  }

  /** Stops the current turn only, never a later one. False when nothing runs (GAP-46). */
  interrupt(cause: InterruptCause): boolean {
    this.#turn?.interrupt(cause);
    return this.#turn !== undefined;
  }

  /** Switches from the next model call on. Rejects with the error of `createModel` and keeps the old model then. */
  async setModel(model: string): Promise<void> {
    if (await this.#settings.switchModel(model)) this.#live.push({ type: 'model_changed', model });
  }

  /**
   * Holds from the next decision on; questions that are open already stay open (S27). The change is written down
   * (M-59); a resumed session begins in the mode of its start all the same, never in one that was left behind.
   */
  setPermissionMode(mode: PermissionMode): void {
    this.#settings.permissionMode = mode;
    this.#live.push({ type: 'permission_mode_changed', mode });
    this.#record({ type: 'permission_mode', at: this.#options.clock.isoTime(), mode }).catch((thrown: unknown) => {
      this.#tell('mode_not_recorded', AgentError.from(thrown).message);
    });
  }

  /**
   * Changes rules and mode for every decision from now on, of subagents too; what is to be kept beyond the session is
   * written down beside (S29). Throws `usage` for what is not a rule, and then changes nothing after it.
   */
  updatePermissions(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type === 'setMode') this.setPermissionMode(update.mode);
      else this.#permissions.apply(update, this.tools);
      this.#permissions.keep(update);
    }
  }

  /** The rules that hold now, for whoever shows them or reads files for the user. */
  permissionRules(): Promise<Pick<SessionRules, 'current' | 'texts'>> {
    return this.#permissions.rules.anchored();
  }

  /** What would be decided about a call now, and by what. Rejects with `unknown_tool` and `invalid_tool_input`. */
  explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation> {
    return this.#permissions.explain(call, this.tools, this.permissionMode);
  }

  /** Holds from the next model call on; undefined means as the provider likes. */
  setEffort(effort: Effort | undefined): void {
    this.#settings.effort = effort;
  }

  /** Writes a title down. Rejects with the error of the log. */
  rename(title: string): Promise<void> {
    return this.#record(toTitle(title, this.#options.clock.isoTime()));
  }

  /** What fills the window of the model now. */
  contextUsage(): ContextUsage {
    const { systemPrompt, contextWindow } = this.#options;
    return contextUsage({
      systemPrompt,
      tools: this.tools,
      messages: this.#history.messages,
      counted: this.#history.usedTokens,
      windowTokens: contextWindow ?? knownWindow(this.model),
    });
  }

  /** Holds from the next model call on. */
  setTools(tools: readonly AnyTool[]): void {
    this.#settings.tools = tools;
    this.#permissions.review(tools);
  }

  /**
   * Stops the turn, drops what is queued, ends `events()`, closes the log and waits for rules that are being kept. To
   * have the last turn written down, interrupt, call `endInput()` and read `events()` to its end first. `reason` is told
   * to hooks, default `other`. Idempotent.
   */
  close(reason: SessionEndReason = 'other'): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: SessionEndReason): Promise<void> {
    this.#inbox.clear();
    this.endInput();
    this.interrupt({ by: 'shutdown', reason: 'The session was closed.' });
    await Promise.all([this.#options.log.close(), this.#runEndHooks(reason), this.#permissions.whenPersisted()]);
  }

  /** Hooks that never heard of the session do not hear of its end. The port owns how long they may take. */
  async #runEndHooks(reason: SessionEndReason): Promise<void> {
    if (!this.#opening.hasRun) return;
    const context = { hooks: this.#options.hooks ?? NO_HOOKS, control: new TurnControl() };
    await runHooks({ event: 'SessionEnd', reason }, context);
  }

  #work(entry: InboxEntry): AsyncGenerator<AgentEvent, void> {
    return 'drop' in entry ? this.#runTask(entry) : this.#runTurn(entry);
  }

  async *#runTask(task: SessionTask): AsyncGenerator<AgentEvent, void> {
    const control = new TurnControl();
    this.#turn = control;
    const tally = new TurnTally();
    const state = this.#state();
    using budget = createTurnBudget({ control, tally }, state);
    const createContext = () => createTurnContext({ control, tally, budget }, state);
    try {
      yield* task.run({ state, opening: this.#opening, budget, createContext });
    } finally {
      this.#turn = undefined;
      control.abandon();
    }
  }

  async *#runTurn(message: Submission): AsyncGenerator<AgentEvent, void> {
    const control = new TurnControl();
    this.#turn = control;
    const state = this.#state();
    const overrides = 'overrides' in message ? message.overrides : undefined;
    // From the outcome on an interrupt comes too late for this turn, and must not wait for the next one (F50).
    const onOutcome = () => {
      this.#turn = undefined;
    };
    try {
      yield* runSessionTurn(message, {
        clock: this.#options.clock,
        record: state.record,
        onOutcome,
        createBudget: (tally) => createTurnBudget({ control, tally }, state),
        createContext: (tally, budget) => createTurnContext({ control, tally, budget, overrides }, state),
        opening: this.#opening,
      });
    } finally {
      onOutcome();
      control.abandon();
    }
  }

  /** What each turn works on. */
  #state(): SessionState {
    return {
      options: this.#options,
      settings: this.#settings,
      history: this.#history,
      rules: this.#permissions.rules,
      ledger: this.#ledger,
      live: this.#live,
      record: (record) => this.#record(record),
      updatePermissions: (updates) => this.updatePermissions(updates),
      leavePlanMode: () => {
        if (this.permissionMode === 'plan') this.setPermissionMode(this.#settings.modeBeforePlan);
        return this.permissionMode;
      },
    };
  }

  #tell(code: string, message: string): void {
    this.#live.push({ type: 'notice', code, message, parentToolUseId: null });
  }

  async #record(record: SessionRecord): Promise<void> {
    // After close() the log is gone; what a turn still says on its way out is not worth an error.
    if (this.#closing === undefined) await this.#options.log.append(record);
    this.#history.add(record);
    this.#ledger.add(record);
  }
}
