import type {
  AgentEvent,
  AgentSession,
  AnyTool,
  ContextUsage,
  Explanation,
  InterruptSource,
  OutputSchema,
  PromptMessage,
  SessionLedger,
} from '@qwen/agent';
import { AgentError, AsyncQueue, createDeferred, type Effort, NO_USAGE, type PermissionMode } from '@qwen/protocol';
import type { AgentControls, SessionWishes } from './control/control-context.js';

/** What may still change before the session opens. */
export interface SessionStart extends SessionWishes {
  readonly model: string;
  readonly permissionMode: PermissionMode;
  readonly effort?: Effort;
  /** What the answers must be; words when missing. */
  readonly output?: OutputSchema;
}

export interface AgentHostOptions {
  readonly sessionId: string;
  /** What the command line says; `set_model` with null goes back to this model. */
  readonly start: SessionStart;
  /**
   * Loads the engine and the records; called once, with the first prompt. What it gives makes the session in one step,
   * so that whatever was changed while it worked still counts.
   */
  readonly prepare: () => Promise<(start: SessionStart) => AgentSession>;
  /** Whether the session has a past on the disk. Default false. */
  readonly resumes?: boolean;
  /** JSON Schema of the answers, unless the app names one. */
  readonly outputSchema?: Readonly<Record<string, unknown>>;
  /** Rejects with `invalid_payload` for what is no schema. */
  readonly compileOutput: (schema: Readonly<Record<string, unknown>>) => Promise<OutputSchema>;
  /** Explains a decision while the session is not open yet. */
  readonly explain: (
    call: { readonly name: string; readonly input: unknown },
    mode: PermissionMode,
  ) => Promise<Explanation>;
  /** Names of the tools while the session is not open yet. */
  readonly toolNames: readonly string[];
  /** The tools beside those that the session opens with: read then, and for each `refreshTools()`. */
  readonly moreTools: () => readonly AnyTool[];
  /** Takes each event, in order; the agent goes on when it resolves, so a slow reader slows the model. Never rejects. */
  readonly publish: (event: AgentEvent) => Promise<void>;
}

type Interruption = { readonly by: InterruptSource; readonly reason: string };

/** As many as the agent lets wait; its own constant would load the engine here. */
const MAX_WAITING = 32;

/**
 * The agent of this process. It opens its session with the first prompt, so that a program which only asks for
 * capabilities never waits for an engine to load, and pulls the one event stream into `publish`. If the session
 * cannot be opened, each prompt is answered with that error.
 */
export class AgentHost implements AgentControls {
  readonly sessionId: string;
  /** Resolves when every prompt is answered and no more can come, or after `close()`. Never rejects. */
  readonly done: Promise<void>;
  readonly #options: AgentHostOptions;
  readonly #finish: () => void;
  readonly #waiting: PromptMessage[] = [];
  #start: SessionStart;
  #running: Promise<void> | undefined;
  #session: AgentSession | undefined;
  #ownTools: readonly AnyTool[] = [];
  /** Set once it is clear that no session will answer. */
  #refused: AsyncQueue<PromptMessage> | undefined;
  #isInputEnded = false;
  #isClosed = false;
  /** Prompts that have no `turn_end` yet. */
  #unanswered = 0;
  /** A prompt came to an idle agent and its turn has not begun: an interrupt means that turn. */
  #isStarting = false;
  #interruption: Interruption | undefined;
  #wasInterrupted = false;
  #output: Promise<OutputSchema> | undefined;
  readonly #opened = createDeferred<AgentSession>();

  constructor(options: AgentHostOptions) {
    const { promise, resolve } = createDeferred<void>();
    this.done = promise;
    this.#finish = resolve;
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#start = options.start;
    // Most of the time nobody waits for it; why it did not open is told with each prompt.
    this.#opened.promise.catch(() => undefined);
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

  /** Whether every prompt so far is answered. */
  get isIdle(): boolean {
    return this.#unanswered === 0;
  }

  /** Queues a prompt. Throws `overloaded` when too many wait already and `channel_closed` after `endInput()`. */
  submit(prompt: PromptMessage): void {
    if (this.#isInputEnded) throw new AgentError('channel_closed', 'The session takes no more prompts.');
    if (this.#session !== undefined) this.#session.submit(prompt);
    else this.#keep(prompt);
    this.#isStarting ||= this.isIdle;
    this.#unanswered += 1;
    this.#running ??= this.#run();
  }

  /** No more prompts come: `done` resolves once everything is answered. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#session?.endInput();
    this.#refused?.end();
    if (this.#running === undefined) this.#finish();
  }

  interrupt(interruption: Interruption = { by: 'user', reason: 'Interrupted by the user' }): boolean {
    const isRunning = this.#session?.interrupt(interruption) === true;
    if (!isRunning && !this.#isStarting) return false;
    if (!isRunning) this.#interruption = interruption;
    this.#wasInterrupted = true;
    return true;
  }

  get isInterrupted(): boolean {
    return this.#wasInterrupted;
  }

  resetInterrupt(): void {
    this.#wasInterrupted = false;
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

  setWishes(wishes: SessionWishes): boolean {
    if (this.#session !== undefined) return false;
    const budget = { ...this.#start.budget, ...wishes.budget };
    this.#start = { ...this.#start, ...wishes, ...(Object.keys(budget).length > 0 && { budget }) };
    return true;
  }

  async setOutputSchema(schema: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#session !== undefined) {
      throw new AgentError('invalid_payload', 'outputSchema: the session has begun, and its answers stay as they are');
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
    if (this.#isInputEnded) throw new AgentError('channel_closed', 'The session takes no more prompts.');
    const session = await this.#past();
    if (session === undefined) return { refused: 'Nothing was said in this session yet.' };
    const wasIdle = this.isIdle;
    const verdict = session.continueLastTurn(crypto.randomUUID());
    if (verdict.refused !== undefined) return verdict;
    this.#isStarting ||= wasIdle;
    this.#unanswered += 1;
    return verdict;
  }

  async rename(title: string): Promise<boolean> {
    // Opened for it: a second pen for the same file would keep the next prompt out.
    const session = await this.#past();
    await session?.rename(title);
    return session !== undefined;
  }

  async contextUsage(): Promise<ContextUsage> {
    const session = await this.#past();
    return session?.contextUsage() ?? { totalTokens: 0, windowTokens: undefined, isEstimated: true, parts: [] };
  }

  async explainCall(call: { readonly name: string; readonly input: unknown }): Promise<Explanation> {
    return this.#session?.explainCall(call) ?? this.#options.explain(call, this.permissionMode);
  }

  async usage(): Promise<Pick<SessionLedger, 'models' | 'turns'>> {
    const session = await this.#past();
    return session?.ledger ?? { models: new Map(), turns: 0 };
  }

  /** Offers the model what `moreTools` gives now, from its next call on. */
  refreshTools(): void {
    this.#session?.setTools([...this.#ownTools, ...this.#options.moreTools()]);
  }

  /** Stops what runs and drops what waits. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting.length = 0;
    this.endInput();
    await this.#session?.close();
    await this.done;
  }

  /** The session, opened now if it has a past that nobody asked for yet; undefined when there is none. */
  async #past(): Promise<AgentSession | undefined> {
    if (this.#running === undefined && this.#options.resumes !== true) return undefined;
    this.#running ??= this.#run();
    return this.#opened.promise;
  }

  #keep(prompt: PromptMessage): void {
    if (this.#waiting.length >= MAX_WAITING) {
      throw new AgentError('overloaded', `${MAX_WAITING} messages wait for their turn already.`);
    }
    if (this.#refused === undefined) this.#waiting.push(prompt);
    else this.#refused.push(prompt);
  }

  async #run(): Promise<void> {
    try {
      const session = await this.#openSession();
      for await (const event of session.events()) await this.#publish(event);
    } catch (thrown) {
      await this.#refuse(AgentError.from(thrown));
    }
    this.#finish();
  }

  async #openSession(): Promise<AgentSession> {
    const { prepare, outputSchema, compileOutput } = this.#options;
    const create = await prepare();
    const output = await (this.#output ?? (outputSchema && compileOutput(outputSchema)));
    const session = create({ ...this.#start, ...(output !== undefined && { output }) });
    this.#session = session;
    this.#opened.resolve(session);
    this.#ownTools = session.tools;
    this.refreshTools();
    for (const prompt of this.#waiting.splice(0)) session.submit(prompt);
    if (this.#isInputEnded) session.endInput();
    if (this.#isClosed) await session.close();
    return session;
  }

  /** Answers what waits and what still comes with the error that keeps the session shut. */
  async #refuse(error: AgentError): Promise<void> {
    this.#session = undefined;
    this.#opened.reject(error);
    const refused = new AsyncQueue<PromptMessage>();
    this.#refused = refused;
    for (const prompt of this.#waiting.splice(0)) refused.push(prompt);
    if (this.#isInputEnded) refused.end();
    for await (const { uuid: turnId } of refused) {
      await this.#publish({ type: 'turn_start', turnId });
      await this.#publish({
        type: 'turn_end',
        turnId,
        outcome: { type: 'error', error },
        durationMs: 0,
        durationApiMs: 0,
        modelCalls: 0,
        usage: NO_USAGE,
        permissionDenials: [],
      });
    }
  }

  #publish(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_end') this.#unanswered -= 1;
    if (event.type === 'turn_start') this.#beginTurn();
    return this.#options.publish(event);
  }

  #beginTurn(): void {
    this.#isStarting = false;
    this.#wasInterrupted = this.#interruption !== undefined;
    const interruption = this.#interruption;
    this.#interruption = undefined;
    if (interruption !== undefined) this.#session?.interrupt(interruption);
  }
}
