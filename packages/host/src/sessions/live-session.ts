import type { AgentEvent } from '@qwen/agent';
import { type ControlScope, defined } from '@qwen/protocol';
import type { AgentHost } from '../agent-host.js';
import type { SessionStart } from '../agent-host-options.js';
import type { CommandSources } from '../commands/load-commands.js';
import type { SessionCommands } from '../commands/session-commands.js';
import type { SessionChoice } from '../config/session-choice.js';
import { endOfEmptyTurn } from '../empty-turn.js';
import type { Notice } from '../notice.js';
import { createHost, type HostServices, type HostWiring } from './create-host.js';
import { HostTools } from './host-tools.js';
import { PromptIds } from './prompt-ids.js';
import { SessionInputs } from './session-inputs.js';

type Wired = Pick<
  HostWiring,
  'configuration' | 'permissions' | 'reportHook' | 'opensAfter' | 'start' | 'isWatched' | 'editor'
>;

export interface LiveSessionOptions extends Wired, Pick<CommandSources, 'showsDialogs' | 'confirmsQuit'> {
  readonly choice: SessionChoice;
  readonly service: () => HostServices & CommandSources['service'];
  /** Emits the events in order; resolves when there is room for the next one. Must not reject. */
  readonly writeEvent: (event: AgentEvent, session: LiveSession) => Promise<void>;
  /**
   * The session is alone in its process: questions do not name it, and a turn without a prompt id has the id of the
   * turn. Default false: turns are numbered.
   */
  readonly isOnly?: boolean;
}

const CANCELLED = 'Request cancelled.';

/** One session of the process: its host, inputs, commands, turn ids and client tools. */
export class LiveSession {
  readonly sessionId: string;
  readonly prompts: PromptIds;
  readonly hostTools = new HostTools();
  readonly inputs = new SessionInputs();
  readonly roots: string[];
  readonly #options: LiveSessionOptions;
  #host: AgentHost | undefined;
  #asleep: Sleep | undefined;
  #running: string | undefined;
  #commands: Promise<SessionCommands> | undefined;
  #isInputEnded = false;
  #counted: Promise<void> | undefined;
  #isClosing = false;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    this.sessionId = options.choice.sessionId;
    this.prompts = new PromptIds(this.sessionId);
    this.roots = [options.configuration.cwd, ...options.configuration.additionalRoots];
  }

  get host(): AgentHost {
    this.#host ??= this.#wake();
    return this.#host;
  }

  /** Whether it received no input, now or in an earlier run. */
  get isNew(): boolean {
    return this.#options.choice.kind === 'new' && this.#asleep === undefined && this.#host?.hasBegun !== true;
  }

  commands(): Promise<SessionCommands> {
    this.#commands ??= this.#loadCommands();
    return this.#commands;
  }

  /** The id of a turn that the client did not name. Never rejects. */
  nameTurn(turnId: string): string | Promise<string> {
    if (this.#options.isOnly === true) return turnId;
    if (this.#options.choice.kind === 'new') return this.prompts.next();
    this.#counted ??= this.#count();
    return this.#counted.then(() => this.prompts.next());
  }

  get isIdle(): boolean {
    return this.inputs.isIdle && (this.#host?.isIdle ?? true);
  }

  get isAsleep(): boolean {
    return this.#host === undefined;
  }

  get runningPrompt(): string | undefined {
    return this.#running === undefined ? undefined : this.prompts.of(this.#running);
  }

  /** The client's id of what a cancel would stop: the running turn, or the input being read. */
  get promptInFlight(): string | undefined {
    const turnId = this.#host?.turnInFlight;
    return turnId === undefined ? this.inputs.current : (this.prompts.of(turnId) ?? turnId);
  }

  /** Cancels the running turn, else the input being read. Returns false when there is neither. */
  cancel(): boolean {
    return this.cancelTurn() || this.inputs.cancel();
  }

  /** Stops the turn as Escape does. Returns false when there is none. */
  cancelTurn(): boolean {
    const host = this.#host;
    if (host?.interrupt({ by: 'user', reason: CANCELLED }) !== true) return false;
    // The model learns why its answer breaks off; a session that is ending needs no note.
    if (!this.#isInputEnded) {
      const injected = host.session().then((session) => session.inject(CANCELLED));
      injected.catch(() => undefined);
    }
    return true;
  }

  /** Emits the turn of a request cancelled before it started, so that the client does not wait for it. */
  async emitCancelled(turnId: string): Promise<void> {
    await this.publish({ type: 'turn_start', turnId });
    await this.publish(endOfEmptyTurn(turnId, { type: 'interrupted', by: 'user', reason: CANCELLED }));
  }

  announce(notice: Notice): void {
    void this.publish({ type: 'notice', ...notice, parentToolUseId: null });
  }

  async publish(emitted: AgentEvent): Promise<void> {
    const event = await this.#keepLastMessage(emitted);
    if (event.type === 'turn_start') this.#running = event.turnId;
    if (event.type === 'message_end' && event.parentToolUseId === null) {
      for (const block of event.content) {
        if (block.type === 'tool_use') this.hostTools.announce(block.id, block.name);
      }
    }
    await this.#options.writeEvent(event, this);
    if (event.type === 'prompt_taken') this.prompts.release(event.uuid);
    if (event.type !== 'turn_end') return;
    this.#running = undefined;
    this.hostTools.forget();
    this.prompts.release(event.turnId);
  }

  async #keepLastMessage(event: AgentEvent): Promise<AgentEvent> {
    const { lastMessageFile } = this.#options.configuration;
    if (lastMessageFile === undefined || (event.type !== 'turn_start' && event.type !== 'turn_end')) return event;
    const { keepLastMessage } = await import('../output/last-message.js');
    return keepLastMessage(event, lastMessageFile);
  }

  /** Closes an idle session; the next input reopens it from its file. */
  async sleep(): Promise<void> {
    const host = this.#host;
    if (host === undefined || !host.hasBegun) return;
    const closed = host.close('other');
    this.#asleep = { start: { model: host.model, permissionMode: host.permissionMode }, closed };
    this.#host = undefined;
    this.#commands = undefined;
    this.prompts.rest();
    this.#isClosing = true;
    await closed.finally(() => {
      this.#isClosing = false;
    });
  }

  get isStored(): boolean {
    return this.#asleep !== undefined && this.isAsleep && !this.#isClosing && this.inputs.isIdle;
  }

  /** Ends the input; pending work is still answered. */
  endInput(): void {
    this.#isInputEnded = true;
    this.hostTools.endInput();
    this.inputs.whenIdle(() => this.#host?.endInput());
  }

  /** Resolves after `endInput()` once everything is answered. */
  get done(): Promise<void> {
    return new Promise<void>((resolve) => {
      this.inputs.whenIdle(() => {
        const { done = Promise.resolve() } = this.#host ?? {};
        void done.then(resolve);
      });
    });
  }

  async close(reason: 'prompt_input_exit' | 'other'): Promise<void> {
    await Promise.all([this.#host?.close(reason), this.#asleep?.closed]);
  }

  #wake(): AgentHost {
    const { choice, isOnly, writeEvent: _out, showsDialogs: _dialogs, confirmsQuit: _quits, ...wiring } = this.#options;
    const session: SessionChoice = this.#asleep === undefined ? choice : { kind: 'resume', sessionId: this.sessionId };
    const host = createHost({
      ...wiring,
      session,
      publish: (event) => this.publish(event),
      announce: (notice) => this.announce(notice),
      ...(isOnly !== true && { place: () => this.#place() }),
      moreTools: () => this.hostTools.list,
      roots: this.roots,
      ...(this.#asleep !== undefined && wakeUp(this.#asleep)),
    });
    // Pending input is still passed on.
    if (this.#isInputEnded && this.inputs.isIdle) host.endInput();
    return host;
  }

  #place(): ControlScope {
    const promptId = this.runningPrompt;
    return { sessionId: this.sessionId, ...(promptId !== undefined && { promptId }) };
  }

  /** Counts the turns of earlier runs, so that no id is reused. */
  async #count(): Promise<void> {
    try {
      this.prompts.startBehind((await this.host.usage()).turns);
    } catch {
      // The turn that needs the session reports the error.
    }
  }

  async #loadCommands(): Promise<SessionCommands> {
    const { loadCommands } = await import('../commands/load-commands.js');
    const { configuration, service, showsDialogs, confirmsQuit } = this.#options;
    return loadCommands({
      configuration,
      host: () => this.host,
      service: service(),
      roots: this.roots,
      announce: (notice) => this.announce(notice),
      ...defined({ showsDialogs, confirmsQuit }),
    });
  }
}

interface Sleep {
  readonly start: Partial<SessionStart>;
  readonly closed: Promise<void>;
}

function wakeUp({ start, closed }: Sleep): Pick<HostWiring, 'start' | 'opensAfter'> {
  return { start, opensAfter: () => closed };
}
