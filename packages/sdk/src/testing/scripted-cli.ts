import {
  AgentError,
  type ControlFrame,
  type ControlHandlers,
  type ControlPayload,
  ControlPeer,
  type ControlResult,
  type Frame,
  PROTOCOL_VERSION,
  type SDKUserMessage,
} from '@qwen/protocol';
import type { Transport } from '../transport/transport.js';
import { InAppTools } from './in-app-tools.js';
import { LinkedTransport } from './linked-transport.js';
import { ScriptedLines } from './scripted-lines.js';
import { ScriptedTurn, type Verdict } from './scripted-turn.js';

/**
 * Plays the agent for one user message; the result is sent when it returns. A throw ends the CLI, and the query throws
 * `process_exited` with the message, so a script may contain assertions.
 */
export type Script = (turn: ScriptedTurn) => void | Promise<void>;

export interface ScriptedCliOptions {
  /** Handlers for control requests of the app; they extend or replace the built-in ones. Default: none. */
  readonly answers?: Partial<ControlHandlers<'app'>> | undefined;
}

/** A control request of the app. */
export interface AskedRequest {
  /** Such as `set_model`. */
  readonly subtype: string;
  readonly payload: unknown;
}

const SESSION_ID = '00000000-0000-4000-8000-000000000000';

/**
 * A CLI without a process, model or key, for tests. Pass its `transport` to one `query()`. Framing, control channel,
 * timeouts, callbacks and MCP servers are real. `scriptedCli()` creates one.
 */
export class ScriptedCli {
  /** For the option `transport` of one query. */
  readonly transport: Transport;
  /** The user messages received, in order. */
  readonly prompts: SDKUserMessage[] = [];
  /** The app's answers to permission requests, in order. */
  readonly verdicts: Verdict[] = [];
  /** The app's control requests, `initialize` first. */
  readonly requests: AskedRequest[] = [];
  readonly #script: Script;
  readonly #lines = new ScriptedLines(SESSION_ID);
  readonly #link: LinkedTransport;
  readonly #peer: ControlPeer<'agent'>;
  readonly #tools: InAppTools;
  readonly #queue: SDKUserMessage[] = [];
  #hooks: ControlPayload<'initialize'>['hooks'];
  #abort = new AbortController();
  #isRunning = false;
  #inputEnded = false;
  #turns = 0;

  constructor(script: Script, { answers = {} }: ScriptedCliOptions = {}) {
    this.#script = script;
    this.#link = new LinkedTransport({
      onFrame: (frame) => this.#accept(frame),
      onInputEnd: () => this.#endInput(),
      onClose: () => this.#stop(),
    });
    this.transport = this.#link;
    const handlers: Partial<ControlHandlers<'app'>> = { ...this.#answers(), ...answers };
    this.#peer = new ControlPeer({
      side: 'agent',
      // Missing handlers are answered with `unknown_subtype`, as by an older CLI.
      handlers: handlers as ControlHandlers<'app'>,
      send: (line) => this.#link.emit(line),
    });
    this.#tools = new InAppTools((payload) =>
      this.#peer.request('mcp_message', payload, { signal: this.#abort.signal }),
    );
  }

  /** Number of unanswered control requests of both sides. */
  get waitingCount(): number {
    return this.#peer.pendingCount + this.#peer.runningCount;
  }

  #answers(): Partial<ControlHandlers<'app'>> {
    return {
      initialize: (payload) => this.#initialize(payload),
      interrupt: () => {
        this.#abort.abort();
        return null;
      },
      set_model: ({ model }) => ({ model: model ?? 'default' }),
      set_permission_mode: ({ mode }) => ({ mode }),
      supported_commands: () => ({ commands: [] }),
      mcp_server_status: () => ({ status: {} }),
      mcp_notification: () => null,
    };
  }

  #initialize({ hooks, timeout }: ControlPayload<'initialize'>): ControlResult<'initialize'> {
    this.#hooks = hooks;
    this.#peer.setTimeouts(timeout ?? {});
    return {
      subtype: 'initialize',
      session_id: SESSION_ID,
      protocol_version: PROTOCOL_VERSION,
      commands: [],
      capabilities: { tools: [], mcpServers: true, hooks: true, permissionControl: true, mcpNotifications: true },
    };
  }

  #accept(frame: Frame): void {
    if (frame.kind === 'control') this.#acceptControl(frame.frame);
    else if (frame.kind === 'message' && frame.message.type === 'user') this.#queueTurn(frame.message);
    else this.#fail(new AgentError('invalid_message', `Unexpected line from the app: ${JSON.stringify(frame)}`));
  }

  #acceptControl(frame: ControlFrame): void {
    if (frame.kind === 'request') this.requests.push({ subtype: frame.subtype, payload: frame.payload });
    this.#peer.accept(frame);
  }

  #queueTurn(message: SDKUserMessage): void {
    this.prompts.push(message);
    this.#queue.push(message);
    void this.#run();
  }

  #endInput(): void {
    this.#inputEnded = true;
    void this.#run();
  }

  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      await this.#runTurn(message);
    }
    this.#isRunning = false;
    if (this.#inputEnded) this.#exit({ exitCode: 0, stderrTail: '' });
  }

  async #runTurn(message: SDKUserMessage): Promise<void> {
    this.#turns += 1;
    const abort = new AbortController();
    this.#abort = abort;
    const turn = new ScriptedTurn({
      message,
      number: this.#turns,
      hooks: this.#hooks,
      peer: this.#peer,
      lines: this.#lines,
      tools: this.#tools,
      emit: (line) => this.#link.emit(line),
      onVerdict: (verdict) => this.verdicts.push(verdict),
      abort,
    });
    this.#link.emit(this.#lines.init());
    try {
      await Promise.race([this.#script(turn), aborted(abort.signal)]);
    } catch (thrown) {
      if (!abort.signal.aborted) this.#fail(thrown);
    }
    const { result: _unfinished, ...rest } = turn.outcome;
    this.#link.emit(this.#lines.result(abort.signal.aborted ? { ...rest, subtype: 'interrupted' } : turn.outcome));
  }

  #fail(thrown: unknown): void {
    this.#exit({ exitCode: 1, stderrTail: `The script failed: ${String(thrown)}` });
  }

  #exit(exit: { readonly exitCode: number; readonly stderrTail: string }): void {
    this.#link.exit(exit);
    this.#stop();
  }

  #stop(): void {
    this.#abort.abort();
    this.#peer.close(new AgentError('channel_closed', 'The scripted CLI has exited.'));
  }
}

/**
 * Creates a {@link ScriptedCli} that runs the script for each user message.
 *
 * @example
 * import { query } from '@qwen/sdk';
 * import { scriptedCli } from '@qwen/sdk/testing';
 *
 * const { transport } = scriptedCli(({ prompt, says }) => says(`You said: ${prompt}`));
 * for await (const message of query({ prompt: 'hi', options: { transport } })) console.log(message);
 */
export function scriptedCli(script: Script, options?: ScriptedCliOptions): ScriptedCli {
  return new ScriptedCli(script, options);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
