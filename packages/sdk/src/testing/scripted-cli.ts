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
 * What the agent does about one user message. Its result goes out when this returns; what it throws ends the CLI, and
 * the query throws `process_exited` with the message: so assertions may stand here.
 */
export type Script = (turn: ScriptedTurn) => void | Promise<void>;

export interface ScriptedCliOptions {
  /** Answers to what the app asks, beside or in place of ours. What neither of us has is `unknown_subtype`. */
  readonly answers?: Partial<ControlHandlers<'app'>> | undefined;
}

/** One thing that the app asked of the CLI. */
export interface AskedRequest {
  /** The word on the wire, such as `set_model`. */
  readonly subtype: string;
  readonly payload: unknown;
}

const SESSION_ID = '00000000-0000-4000-8000-000000000000';

/**
 * A CLI without a process, a model or a key: give its `transport` to one `query()`, and it does what the script says.
 * Everything between is real: framing, control channel, deadlines, the app's callbacks and MCP servers.
 */
export class ScriptedCli {
  /** For the option `transport` of one query, which closes it. */
  readonly transport: Transport;
  /** The user messages that came, in order. */
  readonly prompts: SDKUserMessage[] = [];
  /** What the app answered to permission questions, in order. */
  readonly verdicts: Verdict[] = [];
  /** What the app asked, `initialize` first. */
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
      // What is missing is answered `unknown_subtype`, as an older CLI would.
      handlers: handlers as ControlHandlers<'app'>,
      send: (line) => this.#link.say(line),
    });
    this.#tools = new InAppTools((payload) =>
      this.#peer.request('mcp_message', payload, { signal: this.#abort.signal }),
    );
  }

  /** Requests of either side that still wait for their answer; 0 when nothing was forgotten. */
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
    else
      this.#fail(new AgentError('invalid_message', `The app sent a line that no CLI takes: ${JSON.stringify(frame)}`));
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

  /** Turns run one after the other; whoever comes while one runs has been queued. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      await this.#runTurn(message);
    }
    this.#isRunning = false;
    if (this.#inputEnded) this.#leave({ exitCode: 0, stderrTail: '' });
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
      say: (line) => this.#link.say(line),
      onVerdict: (verdict) => this.verdicts.push(verdict),
      abort,
    });
    this.#link.say(this.#lines.init());
    try {
      await Promise.race([this.#script(turn), aborted(abort.signal)]);
    } catch (thrown) {
      if (!abort.signal.aborted) this.#fail(thrown);
    }
    const { result: text, ...rest } = turn.outcome;
    const members = abort.signal.aborted ? { ...rest, subtype: 'interrupted' } : { ...rest, result: text };
    this.#link.say(this.#lines.result(members));
  }

  #fail(thrown: unknown): void {
    this.#leave({ exitCode: 1, stderrTail: `The script failed: ${String(thrown)}` });
  }

  #leave(exit: { readonly exitCode: number; readonly stderrTail: string }): void {
    this.#link.leave(exit);
    this.#stop();
  }

  #stop(): void {
    this.#abort.abort();
    this.#peer.close(new AgentError('channel_closed', 'The scripted CLI has left.'));
  }
}

/** A CLI that does what the script says about each user message; see {@link ScriptedCli}. */
export function scriptedCli(script: Script, options?: ScriptedCliOptions): ScriptedCli {
  return new ScriptedCli(script, options);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
