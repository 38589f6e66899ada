import type { AgentEvent, PermissionPort } from '@qwen/agent';
import type { AgentHost } from '../agent-host.js';
import type { SessionStart } from '../agent-host-options.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { endOfEmptyTurn } from '../empty-turn.js';
import type { Notice } from '../notice.js';
import { cancelTurn } from './cancel-turn.js';
import { createHost, type HostServices } from './create-host.js';
import { HostTools } from './host-tools.js';
import { PromptIds } from './prompt-ids.js';
import { SessionInputs } from './session-inputs.js';

export interface LiveSessionOptions {
  readonly choice: SessionChoice;
  readonly configuration: Configuration;
  readonly service: () => HostServices;
  /** Emits the events in order; resolves when there is room for the next one. Must not reject. */
  readonly writeEvent: (event: AgentEvent, session: LiveSession) => Promise<void>;
  readonly permissions?: PermissionPort;
}

/** One session of the process: its host, inputs, turn ids and client tools. */
export class LiveSession {
  readonly sessionId: string;
  readonly prompts: PromptIds;
  readonly hostTools = new HostTools();
  readonly inputs = new SessionInputs();
  readonly roots: string[];
  readonly #options: LiveSessionOptions;
  #host: AgentHost | undefined;
  /** How to wake it; undefined before it first slept. */
  #asleep: { readonly start: Partial<SessionStart>; readonly closed: Promise<void> } | undefined;
  #running: string | undefined;
  #isInputEnded = false;
  #isCounted = false;
  #isClosing = false;

  constructor(options: LiveSessionOptions) {
    this.#options = options;
    this.sessionId = options.choice.sessionId;
    this.prompts = new PromptIds(this.sessionId);
    this.roots = [options.configuration.cwd, ...options.configuration.additionalRoots];
  }

  /** Wakes a sleeping session. */
  get host(): AgentHost {
    this.#host ??= this.#wake();
    return this.#host;
  }

  /** Whether it received no input, now or in an earlier run. */
  get isNew(): boolean {
    return this.#options.choice.kind === 'new' && this.#asleep === undefined && this.#host?.hasBegun !== true;
  }

  /** Resolves once the turns of earlier runs are counted, so that no id is reused. Never rejects. */
  async whenCounted(): Promise<void> {
    if (this.#isCounted || this.#options.choice.kind === 'new') return;
    this.#isCounted = true;
    try {
      this.prompts.startBehind((await this.host.usage()).turns);
    } catch {
      // The turn that needs the session reports the error.
    }
  }

  get isIdle(): boolean {
    return this.inputs.isIdle && (this.#host?.isIdle ?? true);
  }

  get isAsleep(): boolean {
    return this.#host === undefined;
  }

  /** The client's id of the running turn. */
  get runningPrompt(): string | undefined {
    return this.#running === undefined ? undefined : this.prompts.of(this.#running);
  }

  /** The client's id of what a cancel would stop: the running turn, or the input being read. */
  get promptInFlight(): string | undefined {
    const turnId = this.#host?.turnInFlight;
    return turnId === undefined ? this.inputs.current : this.prompts.of(turnId);
  }

  /** Cancels the running turn and the input being read. Returns false when there is neither. */
  cancel(): boolean {
    const host = this.#host;
    const wasTurn = host !== undefined && cancelTurn(host, { isEnding: this.#isInputEnded });
    return this.inputs.cancel() || wasTurn;
  }

  /** Emits the turn of a request cancelled before it started, so that the client does not wait for it. */
  async tellCancelled(turnId: string): Promise<void> {
    await this.#tell({ type: 'turn_start', turnId });
    const outcome = { type: 'interrupted', by: 'user', reason: 'Request cancelled.' } as const;
    await this.#tell(endOfEmptyTurn(turnId, outcome));
  }

  announce(notice: Notice): void {
    void this.#tell({ type: 'notice', ...notice, parentToolUseId: null });
  }

  /** Closes an idle session; the next input reopens it from its file. */
  async sleep(): Promise<void> {
    const host = this.#host;
    if (host === undefined || !host.hasBegun) return;
    const closed = host.close('other');
    this.#asleep = { start: { model: host.model, permissionMode: host.permissionMode }, closed };
    this.#host = undefined;
    this.prompts.rest();
    this.#isClosing = true;
    await closed.finally(() => {
      this.#isClosing = false;
    });
  }

  /** Whether its file is complete. */
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
    const { choice, configuration, service, permissions } = this.#options;
    const { closed = Promise.resolve() } = this.#asleep ?? {};
    const session: SessionChoice = this.#asleep === undefined ? choice : { kind: 'resume', sessionId: this.sessionId };
    const host = createHost({
      configuration,
      session,
      service,
      publish: (event) => this.#tell(event),
      announce: (notice) => this.announce(notice),
      place: () => ({ sessionId: this.sessionId, ...(this.runningPrompt && { promptId: this.runningPrompt }) }),
      moreTools: () => this.hostTools.list,
      roots: this.roots,
      ...(permissions !== undefined && { permissions }),
      ...(this.#asleep !== undefined && { start: this.#asleep.start, opensAfter: () => closed }),
    });
    // Pending input is still passed on.
    if (this.#isInputEnded && this.inputs.isIdle) host.endInput();
    return host;
  }

  async #tell(event: AgentEvent): Promise<void> {
    if (event.type === 'turn_start') this.#running = event.turnId;
    if (event.type === 'message_end' && event.parentToolUseId === null) {
      for (const block of event.content) {
        if (block.type === 'tool_use') this.hostTools.announce(block.id, block.name);
      }
    }
    await this.#options.writeEvent(event, this);
    if (event.type !== 'turn_end') return;
    this.#running = undefined;
    this.hostTools.forget();
    this.prompts.release(event.turnId);
  }
}
