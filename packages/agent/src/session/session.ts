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
import type { FileRewind } from '../file-history-port.js';
import { NO_HOOKS, type SessionEndReason } from '../hook-port.js';
import type { CompactionSizes } from '../loop/compaction/compact.js';
import { ContextWindows } from '../loop/compaction/context-window.js';
import { runHooks } from '../loop/hooks/run-hooks.js';
import { SessionStartHooks } from '../loop/hooks/session-start-hooks.js';
import type { ToolRequest } from '../loop/run-requested-tool.js';
import { type InterruptCause, TurnControl } from '../loop/turn-control.js';
import { TurnTally } from '../loop/turn-tally.js';
import type { Explanation } from '../permission/explain.js';
import { parseRule } from '../permission/rules.js';
import { type SessionRules, toRuleText } from '../permission/session-rules.js';
import type { BackgroundPort } from '../ports.js';
import type { AnyTool } from '../tool.js';
import { createTurnBudget, createTurnContext, type SessionState } from './create-turn-context.js';
import { addNote, clearHistory, compactHistory, recordsOf, restoreHistory, rewindFiles } from './history-tasks.js';
import { Inbox, type InboxEntry } from './inbox.js';
import { LiveEvents } from './live-events.js';
import type { AgentSessionOptions, PromptMessage, Submission } from './options.js';
import { SessionLedger } from './session-ledger.js';
import { SessionPermissions } from './session-permissions.js';
import { SessionSettings } from './session-settings.js';
import { createSessionTask, type SessionTask, type SessionTaskWork } from './session-task.js';
import { runSessionTurn } from './session-turn.js';
import { takeMessages } from './take-messages.js';
import { toTitle } from './title.js';
import { withLiveEvents } from './with-live-events.js';

/**
 * One conversation: owns the inbox, the current turn and the log. The constructor throws `usage` for an invalid
 * rule. The creator calls `close()`.
 */
export class AgentSession {
  readonly sessionId: string;
  readonly #options: AgentSessionOptions;
  readonly #settings: SessionSettings;
  readonly #history: ModelHistory;
  readonly #live = new LiveEvents();
  readonly #inbox = new Inbox(() => this.#live.wake());
  readonly #ledger: SessionLedger;
  readonly #windows: ContextWindows;
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
    this.#permissions = new SessionPermissions(options, (code, message) => this.#notify(code, message));
    this.#ledger = options.ledger ?? new SessionLedger();
    this.#windows = new ContextWindows({ configured: options.contextWindow, lookUp: options.findWindow });
    this.#opening = new SessionStartHooks(options.source ?? 'startup');
    options.background?.subscribe((event) => this.#live.push(event));
  }

  get background(): BackgroundPort | undefined {
    return this.#options.background;
  }

  get model(): string {
    return this.#settings.model;
  }

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
   * Prompts run in order. Throws `overloaded` if the queue is full and `channel_closed` after `endInput()` or
   * `close()`.
   */
  submit(message: PromptMessage): void {
    this.#inbox.submit(message);
  }

  /** Removes a queued prompt, which then has no turn. False if it is not queued: it runs, ran, or a turn took it. */
  withdraw(uuid: string): boolean {
    return this.#inbox.withdraw(uuid);
  }

  /** Queues the rest of an interrupted turn as `turnId`, or returns why there is none. Throws `channel_closed`. */
  continueLastTurn(turnId: string): { readonly refused?: string } {
    if (this.#turn !== undefined || !this.#inbox.isEmpty) return { refused: 'A turn is in progress.' };
    if (!this.#ledger.hasUnfinishedTurn) return { refused: 'The last turn is complete.' };
    this.#inbox.queue({ uuid: turnId });
    return {};
  }

  runTool(request: ToolRequest): void {
    this.#inbox.submit(request);
  }

  get messages(): readonly ModelMessage[] {
    return this.#history.snapshot();
  }

  records(): ConversationRecord[] {
    return recordsOf(this.#history, { at: this.#options.clock.isoTime(), model: this.model });
  }

  /**
   * Empties the history; the records stay. Queued like a prompt. This and the next four reject with `overloaded`,
   * `channel_closed` and errors of the log.
   */
  clear(): Promise<void> {
    return this.#queue(clearHistory);
  }

  restore(records: readonly SessionRecord[], rewoundTo?: string): Promise<void> {
    return this.#queue(restoreHistory(records, rewoundTo));
  }

  rewindFiles(messageId: string, isPreview: boolean): Promise<FileRewind | undefined> {
    return this.#queue(rewindFiles(messageId, isPreview));
  }

  inject(text: string): Promise<void> {
    return this.#queue(addNote(text));
  }

  /**
   * Undefined if not worthwhile. Also rejects with errors of the model, `hook_blocked`, `budget_exceeded` and
   * `aborted`, and then changes nothing.
   */
  compact(): Promise<CompactionSizes | undefined> {
    return this.#queue(compactHistory);
  }

  async #queue<Result>(work: SessionTaskWork<Result>): Promise<Result> {
    const { task, done } = createSessionTask(work);
    this.#inbox.submit(task);
    return done;
  }

  endInput(): void {
    this.#inbox.end();
  }

  /**
   * All events in order, on demand: a slow reader slows the model. Leaving the loop stops the turn. Throws
   * `already_reading` for a second reader.
   */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    if (this.#isReading) throw new AgentError('already_reading', 'The session already has a reader.');
    this.#isReading = true;
    const stop = () => this.#turn?.interrupt({ by: 'shutdown', reason: 'The session no longer has a reader.' });
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

  /** Stops only the current turn. False if nothing runs. */
  interrupt(cause: InterruptCause): boolean {
    this.#turn?.interrupt(cause);
    return this.#turn !== undefined;
  }

  /** Takes effect with the next model call. Rejects with the error of `createModel` and keeps the old model. */
  async setModel(model: string): Promise<void> {
    if (await this.#settings.switchModel(model)) this.#live.push({ type: 'model_changed', model });
  }

  /**
   * Takes effect with the next decision; open questions stay open. A resumed session starts in its configured mode.
   */
  setPermissionMode(mode: PermissionMode): void {
    this.#settings.permissionMode = mode;
    this.#live.push({ type: 'permission_mode_changed', mode });
    this.#record({ type: 'permission_mode', at: this.#options.clock.isoTime(), mode }).catch((thrown: unknown) => {
      this.#notify('mode_not_recorded', AgentError.from(thrown).message);
    });
  }

  /** Takes effect with the next decision, for subagents too. Throws `usage` for an invalid update and changes nothing. */
  updatePermissions(updates: readonly PermissionUpdate[]): void {
    for (const update of updates) {
      if (update.type !== 'setMode') for (const rule of update.rules) parseRule(toRuleText(rule));
    }
    for (const update of updates) {
      if (update.type === 'setMode') this.setPermissionMode(update.mode);
      else this.#permissions.apply(update, this.tools);
      this.#permissions.persist(update);
    }
  }

  permissionRules(): Promise<Pick<SessionRules, 'current' | 'texts'>> {
    return this.#permissions.rules.anchored();
  }

  explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation> {
    return this.#permissions.explain(call, this.tools, this.permissionMode);
  }

  setEffort(effort: Effort | undefined): void {
    this.#settings.effort = effort;
  }

  rename(title: string): Promise<void> {
    return this.#record(toTitle(title, this.#options.clock.isoTime()));
  }

  contextUsage(): ContextUsage {
    const { messages, usedTokens: counted } = this.#history;
    const prompt = { ...this.#options, tools: this.tools, messages };
    return contextUsage({ ...prompt, counted, windowTokens: this.#windows.known(this.model) });
  }

  setTools(tools: readonly AnyTool[]): void {
    this.#settings.tools = tools;
    this.#permissions.reportChanged(tools);
  }

  /**
   * Stops the turn, drops the queue, ends `events()`, closes the log and waits for rules to be stored. To record the
   * last turn, first interrupt, call `endInput()` and read `events()` to its end. Idempotent.
   */
  close(reason: SessionEndReason = 'other'): Promise<void> {
    this.#closing ??= this.#close(reason);
    return this.#closing;
  }

  async #close(reason: SessionEndReason): Promise<void> {
    this.#inbox.clear();
    this.endInput();
    this.interrupt({ by: 'shutdown', reason: 'The session was closed.' });
    // First: the log owns the sandbox that they run in.
    await this.#options.background?.close();
    await Promise.all([this.#options.log.close(), this.#runEndHooks(reason), this.#permissions.whenPersisted()]);
  }

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
    // From here on, an interrupt is too late for this turn and must not hit the next one.
    const onOutcome = () => {
      this.#turn = undefined;
      this.#inbox.dropSteering();
    };
    try {
      yield* runSessionTurn(message, {
        clock: this.#options.clock,
        state,
        onOutcome,
        createBudget: (tally) => createTurnBudget({ control, tally }, state),
        createContext: (tally, budget) =>
          createTurnContext(
            {
              control,
              tally,
              budget,
              overrides: 'overrides' in message ? message.overrides : undefined,
              takeMessages: (context) => takeMessages({ inbox: this.#inbox, opening: this.#opening }, context),
            },
            state,
          ),
        opening: this.#opening,
      });
    } finally {
      onOutcome();
      control.abandon();
    }
  }

  #state(): SessionState {
    return {
      options: this.#options,
      settings: this.#settings,
      history: this.#history,
      rules: this.#permissions.rules,
      ledger: this.#ledger,
      windows: this.#windows,
      live: this.#live,
      record: (record) => this.#record(record),
      updatePermissions: (updates) => this.updatePermissions(updates),
      leavePlanMode: () => {
        if (this.permissionMode === 'plan') this.setPermissionMode(this.#settings.modeBeforePlan);
        return this.permissionMode;
      },
    };
  }

  #notify(code: string, message: string): void {
    this.#live.push({ type: 'notice', code, message, parentToolUseId: null });
  }

  async #record(record: SessionRecord): Promise<void> {
    if (this.#closing === undefined) await this.#options.log.append(record);
    this.#history.add(record);
    this.#ledger.add(record);
  }
}
