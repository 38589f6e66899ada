import type { AgentEvent, AgentSession, InterruptSource, PromptMessage } from '@qwen/agent';
import { AgentError, createDeferred, NO_USAGE, type PermissionMode } from '@qwen/protocol';
import type { AgentControls, SystemPrompts } from './control/control-context.js';

/** What may still change before the session opens. */
export interface SessionStart extends SystemPrompts {
  readonly model: string;
  readonly permissionMode: PermissionMode;
}

export interface AgentHostOptions {
  readonly sessionId: string;
  /** What the start says; `set_model` with null goes back to this model. */
  readonly start: SessionStart;
  /** Opens the session; called once, with the first prompt. The engine loads here. */
  readonly open: (start: SessionStart) => Promise<AgentSession>;
  /** Names of the tools while the session is not open yet. */
  readonly toolNames: readonly string[];
  /** Takes each event, in order; the agent goes on when it resolves, so a slow reader slows the model. Never rejects. */
  readonly publish: (event: AgentEvent) => Promise<void>;
}

type Interruption = { readonly by: InterruptSource; readonly reason: string };

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
  #start: SessionStart;
  #waiting: PromptMessage[] = [];
  #session: AgentSession | undefined;
  #opening: Promise<void> | undefined;
  #openError: AgentError | undefined;
  #isInputEnded = false;
  #isClosed = false;
  /** Prompts that have no `turn_end` yet. */
  #unanswered = 0;
  /** The agent was idle when the newest prompt came, and its turn has not begun: an interrupt means that prompt. */
  #isStarting = false;
  #interruption: Interruption | undefined;

  constructor(options: AgentHostOptions) {
    const { promise, resolve } = createDeferred<void>();
    this.done = promise;
    this.#finish = resolve;
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#start = options.start;
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

  /** The session, once it is open. */
  get session(): AgentSession | undefined {
    return this.#session;
  }

  /** Queues a prompt. Throws `overloaded` when too many wait already. */
  submit(prompt: PromptMessage): void {
    if (this.#session !== undefined) this.#session.submit(prompt);
    else if (this.#waiting.length < MAX_WAITING) this.#waiting.push(prompt);
    else throw new AgentError('overloaded', `More than ${MAX_WAITING} prompts wait for their turn.`);
    this.#isStarting = this.#unanswered === 0;
    this.#unanswered += 1;
    if (this.#openError !== undefined) void this.#refuseWaiting(this.#openError);
    else this.#opening ??= this.#run();
  }

  /** No more prompts come: `done` resolves once everything is answered. */
  endInput(): void {
    this.#isInputEnded = true;
    this.#session?.endInput();
    if (this.#opening === undefined) this.#finish();
  }

  interrupt(interruption: Interruption = { by: 'user', reason: 'Interrupted by the user' }): boolean {
    if (this.#session?.interrupt(interruption) === true) return true;
    if (!this.#isStarting) return false;
    this.#interruption = interruption;
    return true;
  }

  async setModel(model: string | null): Promise<string> {
    const name = model ?? this.#options.start.model;
    if (this.#session !== undefined) {
      await this.#session.setModel(name);
    } else {
      this.#start = { ...this.#start, model: name };
      void this.#options.publish({ type: 'model_changed', model: name });
    }
    return name;
  }

  setPermissionMode(mode: PermissionMode): void {
    if (this.#session !== undefined) {
      this.#session.setPermissionMode(mode);
    } else {
      this.#start = { ...this.#start, permissionMode: mode };
      void this.#options.publish({ type: 'permission_mode_changed', mode });
    }
  }

  setPrompts(prompts: SystemPrompts): boolean {
    if (this.#opening !== undefined) return false;
    this.#start = { ...this.#start, ...prompts };
    return true;
  }

  /** Stops what runs and drops what waits. Idempotent. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#waiting = [];
    await this.#session?.close();
    if (this.#opening === undefined) this.#finish();
    await this.done;
  }

  async #run(): Promise<void> {
    try {
      const session = await this.#openSession();
      if (session === undefined) return;
      for await (const event of session.events()) {
        this.#follow(event, session);
        await this.#options.publish(event);
      }
    } catch (thrown) {
      this.#openError = AgentError.from(thrown);
      await this.#refuseWaiting(this.#openError);
      if (!this.#isInputEnded) return;
    }
    this.#finish();
  }

  async #openSession(): Promise<AgentSession | undefined> {
    // Lines of one chunk are read in one go: an `initialize` after the prompt still counts.
    await Promise.resolve();
    const session = await this.#options.open(this.#start);
    if (this.#isClosed) {
      await session.close();
      return undefined;
    }
    this.#session = session;
    for (const prompt of this.#waiting.splice(0)) session.submit(prompt);
    if (this.#isInputEnded) session.endInput();
    return session;
  }

  #follow(event: AgentEvent, session: AgentSession): void {
    if (event.type === 'turn_end') this.#unanswered -= 1;
    if (event.type !== 'turn_start') return;
    this.#isStarting = false;
    const interruption = this.#interruption;
    this.#interruption = undefined;
    if (interruption !== undefined) session.interrupt(interruption);
  }

  async #refuseWaiting(error: AgentError): Promise<void> {
    for (const { uuid: turnId } of this.#waiting.splice(0)) {
      this.#unanswered -= 1;
      await this.#options.publish({ type: 'turn_start', turnId });
      await this.#options.publish({
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
}
