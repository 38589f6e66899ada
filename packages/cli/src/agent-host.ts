import type { AgentEvent, AgentSession, AnyTool, InterruptSource, PromptMessage } from '@qwen/agent';
import { AgentError, AsyncQueue, createDeferred, NO_USAGE, type PermissionMode } from '@qwen/protocol';
import type { AgentControls, SystemPrompts } from './control/control-context.js';

/** What may still change before the session opens. */
export interface SessionStart extends SystemPrompts {
  readonly model: string;
  readonly permissionMode: PermissionMode;
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

  setPrompts(prompts: SystemPrompts): boolean {
    if (this.#session !== undefined) return false;
    this.#start = { ...this.#start, ...prompts };
    return true;
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
    const create = await this.#options.prepare();
    const session = create(this.#start);
    this.#session = session;
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
    const interruption = this.#interruption;
    this.#interruption = undefined;
    if (interruption !== undefined) this.#session?.interrupt(interruption);
  }
}
