import type {
  AgentEvent,
  AgentSession,
  AnyTool,
  ContextUsage,
  Explanation,
  FileRewind,
  OutputSchema,
  PromptMessage,
  SessionEndReason,
  SessionLedger,
} from '@qwen/agent';
import type { PastPrompt } from '@qwen/commands';
import { AgentError, type Effort, type PermissionMode } from '@qwen/protocol';
import type { AgentControls, SessionOverrides } from './agent-controls.js';
import type { AgentHostOptions, PermissionView, SessionStart } from './agent-host-options.js';
import { type Interruption, PendingTurns } from './pending-turns.js';
import type { SessionSandbox } from './session-sandbox.js';
import { WaitingPrompts, type WaitingTurn } from './waiting-prompts.js';

/**
 * The agent of this process. Opens its session with the first prompt, so that capability queries load no engine. If
 * the session cannot be opened, each prompt is answered with that error.
 */
export class AgentHost implements AgentControls {
  readonly sessionId: string;
  /** Resolves when every prompt is answered and no more can come, or after `close()`. Never rejects. */
  readonly done: Promise<void>;
  readonly #options: AgentHostOptions;
  readonly #finish: () => void;
  readonly #waiting = new WaitingPrompts();
  readonly #turns = new PendingTurns();
  #start: SessionStart;
  #running: Promise<void> | undefined;
  #session: AgentSession | undefined;
  #ownTools: readonly AnyTool[] = [];
  #onIdle: (() => void)[] = [];
  #isInputEnded = false;
  #isClosed = false;
  #output: Promise<OutputSchema> | undefined;
  readonly #opened = Promise.withResolvers<AgentSession>();

  constructor(options: AgentHostOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.#finish = resolve;
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#start = options.start;
    // Often unobserved; each prompt reports the reason.
    this.#opened.promise.catch(() => undefined);
    if (options.observer !== undefined) void this.done.then(() => options.observer?.end());
  }

  get model(): string {
    return this.#session?.model ?? this.#start.model;
  }

  get permissionMode(): PermissionMode {
    return this.#session?.permissionMode ?? this.#start.permissionMode;
  }

  get toolNames(): readonly string[] {
    return this.#session?.tools.map((tool) => tool.name) ?? this.#options.toolNames;
  }

  get background(): AgentSession['background'] {
    return this.#session?.background;
  }

  get sandbox(): SessionSandbox | undefined {
    return this.#options.sandbox;
  }

  get isIdle(): boolean {
    return this.#turns.isIdle;
  }

  async whenIdle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#onIdle.push(resolve));
  }

  /** Queues a prompt. Throws `overloaded` when the queue is full and `channel_closed` after `endInput()`. */
  submit(prompt: PromptMessage): void {
    this.#options.observer?.expect(prompt.uuid, prompt.content);
    this.#queue({ turnId: prompt.uuid, submit: (session) => session.submit(prompt) });
  }

  /** Removes a queued prompt, which then has no turn. False if it is not queued: it runs, ran, or a turn took it. */
  withdraw(promptId: string): boolean {
    const wasQueued = (this.#session ?? this.#waiting).withdraw(promptId);
    if (wasQueued) this.#turns.end(promptId);
    if (wasQueued) this.#reportIdle();
    return wasQueued;
  }

  async steer(message: PromptMessage, signal: AbortSignal): Promise<boolean> {
    return !this.isIdle && (await import('./steer.js')).steer(message, { host: this, signal });
  }

  runTool(call: Parameters<AgentSession['runTool']>[0]): void {
    this.#queue({ turnId: call.uuid, submit: (session) => session.runTool(call) });
  }

  get turnInFlight(): string | undefined {
    return this.unanswered[0];
  }

  get unanswered(): readonly string[] {
    return this.#turns.unanswered;
  }

  /** Whether the session received input, so that it has a file. */
  get hasBegun(): boolean {
    return this.#running !== undefined;
  }

  async session(): Promise<AgentSession> {
    if (this.#isInputEnded && this.#running === undefined) {
      throw new AgentError('channel_closed', 'The session no longer accepts input.');
    }
    this.#running ??= this.#run();
    return this.#opened.promise;
  }

  /** The same if it has begun or stored records exist; undefined when there is nothing to open. */
  async begunSession(): Promise<AgentSession | undefined> {
    if (this.#running === undefined && this.#options.resumes !== true) return undefined;
    this.#running ??= this.#run();
    return this.#opened.promise;
  }

  endInput(): void {
    this.#isInputEnded = true;
    this.#session?.endInput();
    this.#waiting.end();
    if (this.#running === undefined) this.#finish();
  }

  interrupt(interruption: Interruption = { by: 'user', reason: 'Interrupted by the user' }): boolean {
    return this.#turns.interrupt(interruption, (mine) => this.#session?.interrupt(mine) === true);
  }

  get isInterrupted(): boolean {
    return this.#turns.isInterrupted;
  }

  resetInterrupt(): void {
    this.#turns.resetInterrupt();
  }

  async setModel(model: string | null): Promise<string> {
    const name = model ?? this.#options.start.model;
    if (this.#session !== undefined) {
      await this.#session.setModel(name);
    } else {
      this.#start = { ...this.#start, model: name };
      void this.#publish({ type: 'model_changed', model: name });
    }
    return name;
  }

  setPermissionMode(mode: PermissionMode): void {
    if (this.#session !== undefined) {
      this.#session.setPermissionMode(mode);
    } else {
      this.#start = { ...this.#start, permissionMode: mode };
      void this.#publish({ type: 'permission_mode_changed', mode });
    }
  }

  setOverrides(overrides: SessionOverrides): boolean {
    if (this.#session !== undefined) return false;
    const budget = { ...this.#start.budget, ...overrides.budget };
    this.#start = { ...this.#start, ...overrides, ...(Object.keys(budget).length > 0 && { budget }) };
    return true;
  }

  async setOutputSchema(schema: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#session !== undefined) {
      throw new AgentError('invalid_payload', 'outputSchema: the session has already started');
    }
    this.#output = this.#options.compileOutput(schema);
    await this.#output;
  }

  setEffort(effort: Effort | undefined): void {
    const { effort: _before, ...start } = this.#start;
    this.#start = { ...start, ...(effort !== undefined && { effort }) };
    this.#session?.setEffort(effort);
  }

  async continueLastTurn(): Promise<{ readonly refused?: string }> {
    if (this.#isInputEnded) throw new AgentError('channel_closed', 'The session no longer accepts prompts.');
    const session = await this.begunSession();
    if (session === undefined) return { refused: 'This session has no messages yet.' };
    const turnId = crypto.randomUUID();
    const verdict = session.continueLastTurn(turnId);
    if (verdict.refused === undefined) this.#turns.add(turnId);
    return verdict;
  }

  async rename(title: string): Promise<boolean> {
    // Opens the session: a second writer would lock the next prompt out of the file.
    const session = await this.begunSession();
    await session?.rename(title);
    return session !== undefined;
  }

  async contextUsage(): Promise<ContextUsage> {
    const session = await this.begunSession();
    return session?.contextUsage() ?? { totalTokens: 0, windowTokens: undefined, isEstimated: true, parts: [] };
  }

  /** The prompts to which the conversation can go back, in order. */
  async pastPrompts(): Promise<readonly PastPrompt[]> {
    if ((await this.begunSession()) === undefined) return [];
    const { PastPrompts } = await import('./sessions/past-prompts.js');
    const past = new PastPrompts();
    await this.#options.readRecords(past);
    return past.prompts;
  }

  async previewFiles(messageId: string): Promise<FileRewind | undefined> {
    return (await this.#sessionToRewind(messageId)).rewindFiles(messageId, true);
  }

  async rewindFiles(messageId: string): Promise<FileRewind | undefined> {
    return (await this.#sessionToRewind(messageId)).rewindFiles(messageId, false);
  }

  async rewindConversation(messageId: string): Promise<string> {
    const session = await this.#sessionToRewind(messageId);
    const { ConversationBefore } = await import('./sessions/past-prompts.js');
    const before = new ConversationBefore(messageId);
    await this.#options.readRecords(before);
    const { prompt, records } = before.found;
    await session.restore(records, messageId);
    return prompt.text;
  }

  async #sessionToRewind(messageId: string): Promise<AgentSession> {
    const session = await this.begunSession();
    if (session === undefined) {
      throw new AgentError('message_not_found', `The session has no user message ${messageId}.`);
    }
    if (!this.isIdle) {
      throw new AgentError('session_busy', 'A turn is running. Interrupt it or wait for its end, then rewind.');
    }
    return session;
  }

  async explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation> {
    return this.#session?.explainCall(call) ?? this.#options.explain(call, this.permissionMode);
  }

  async usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>> {
    const session = await this.begunSession();
    return session?.ledger ?? { models: new Map(), turns: 0 };
  }

  async permissionView(): Promise<PermissionView> {
    const session = this.#session;
    if (session === undefined) return this.#options.viewRules();
    const { current, texts } = await session.permissionRules();
    return { texts, hides: (path) => current.hides(path) };
  }

  get tools(): readonly AnyTool[] | undefined {
    return this.#session?.tools;
  }

  /** Reads `moreTools` again; applies from the next model call. */
  refreshTools(): void {
    this.#session?.setTools([...this.#ownTools, ...this.#options.moreTools()]);
  }

  /** Stops the running turn and drops queued prompts; hooks receive the reason. Idempotent. */
  async close(reason: SessionEndReason = 'other'): Promise<void> {
    this.#isClosed = true;
    this.#waiting.take();
    this.endInput();
    await this.#session?.close(reason);
    await this.done;
  }

  #queue(turn: WaitingTurn): void {
    if (this.#isInputEnded) throw new AgentError('channel_closed', 'The session no longer accepts prompts.');
    if (this.#session !== undefined) turn.submit(this.#session);
    else this.#waiting.keep(turn);
    this.#turns.add(turn.turnId);
    this.#running ??= this.#run();
  }

  async #run(): Promise<void> {
    try {
      const session = await this.#openSession();
      for await (const event of session.events()) await this.#publish(event);
    } catch (thrown) {
      await this.#refuse(AgentError.from(thrown));
    } finally {
      this.#finish();
    }
  }

  async #openSession(): Promise<AgentSession> {
    const { prepare, outputSchema, compileOutput } = this.#options;
    // First: an invalid schema must not leave a locked session file.
    const output = await (this.#output ?? (outputSchema && compileOutput(outputSchema)));
    const create = await prepare();
    const session = create({ ...this.#start, ...(output !== undefined && { output }) });
    this.#session = session;
    this.#opened.resolve(session);
    this.#ownTools = session.tools;
    this.refreshTools();
    for (const turn of this.#waiting.take()) turn.submit(session);
    if (this.#isInputEnded) session.endInput();
    if (this.#isClosed) await session.close();
    return session;
  }

  async #refuse(reason: AgentError): Promise<void> {
    const broken = this.#session;
    this.#session = undefined;
    this.#opened.reject(reason);
    // Unlocks its file.
    await Promise.allSettled([broken?.close()]);
    const turnIds = this.#isClosed ? [] : this.#turns.unanswered;
    for await (const event of this.#waiting.refuse(reason, turnIds)) {
      // A failing event must not hide the end of its turn.
      await Promise.allSettled([this.#publish(event)]);
    }
  }

  async #publish(event: AgentEvent): Promise<void> {
    this.#options.observer?.observe(event);
    if (event.type === 'turn_end') this.#turns.end(event.turnId);
    if (event.type === 'prompt_taken') this.#turns.end(event.uuid);
    if (event.type === 'turn_start') {
      const early = this.#turns.begin(event.turnId);
      if (early !== undefined) this.#session?.interrupt(early);
    }
    await this.#options.publish(event);
    if (event.type === 'turn_end') this.#reportIdle();
  }

  #reportIdle(): void {
    if (this.isIdle) for (const resolve of this.#onIdle.splice(0)) resolve();
  }
}
