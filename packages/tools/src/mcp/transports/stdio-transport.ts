import { once } from 'node:events';
import { Duplex, type Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { settlesWithin } from '@qwen/agent';
import { AgentError, encodeLine, toOneLine } from '@qwen/protocol';
import type { ConfinedStart, Sandbox } from '../../sandbox/sandbox.js';
import { MARKER_VARIABLE, missingIn, type ProcessGuard, startGuard } from '../../shell/process-guard.js';
import { readInnerGroup, sendSignal } from '../../shell/stop-group.js';
import { MessageLines } from './message-lines.js';

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Missing: the server has all rights of the user. Disposed with the server. */
  readonly sandbox?: Sandbox;
  readonly onNoise?: () => void;
  /** Receives protected files that the server created in the sandbox; they were renamed. */
  readonly onReverted?: (paths: readonly string[]) => void;
}

/** After closing stdin, and again after SIGTERM. */
const GRACE_MS = 1000;
/** Other processes may hold the pipes. */
const PIPE_GRACE_MS = 200;

/** A server that floods us with requests and reads no answers must not fill the memory. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024;

/** In UTF-16 units. */
const MAX_STDERR_LENGTH = 4096;

interface RunningServer {
  /** Signals the whole process group. */
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly stdin: Writable;
  readonly guard: ProcessGuard;
  /** Never rejects. */
  readonly exited: Promise<unknown>;
  readonly confined?: ConfinedStart;
}

/**
 * Starts the server in its own process group, with a guard. Closing ends stdin, then sends SIGTERM and SIGKILL to
 * the group.
 */
export class StdioTransport implements Transport {
  readonly mayBeModern = true;
  readonly #options: StdioTransportOptions;
  readonly #stderr = new OutputTail();
  #server: RunningServer | undefined;
  #closing: Promise<void> | undefined;
  #failure: AgentError | undefined;
  #drained: Promise<void> | undefined;
  /** Where the system reports it. */
  #leftInput = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** Undefined while it is open and after `close()`. */
  get failure(): AgentError | undefined {
    return this.#failure;
  }

  /** Rejects with `mcp_failed` if the program cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, cwd, sandbox } = this.#options;
    const { execa } = await import('execa');
    if (this.#closing !== undefined) throw connectionClosed();
    const marker = crypto.randomUUID();
    const environment = { ...env, [MARKER_VARIABLE]: marker };
    const plain = { program: command, args, folder: cwd, environment };
    const confined = await sandbox?.confine(plain);
    const started = confined ?? plain;
    const guard = startGuard(execa, marker, missingIn(confined?.watched));
    const child = execa(started.program, started.args, {
      cwd: started.folder,
      env: started.environment,
      extendEnv: false,
      stdio: ['pipe', 'pipe', 'pipe', ...(confined?.hasInfo === true ? (['pipe'] as const) : [])],
      buffer: false,
      encoding: 'buffer',
      detached: true,
      cleanup: false,
      reject: false,
      windowsHide: true,
    });
    const { pid: group } = child;
    if (group === undefined) {
      await guard.dismiss();
      confined?.[Symbol.dispose]();
      sandbox?.[Symbol.dispose]();
      const { code, originalMessage } = await child;
      throw new AgentError(
        'mcp_failed',
        `Could not start the program ${command}: ${code === 'ENOENT' ? 'ENOENT, no such program' : (code ?? originalMessage ?? '')}`,
      );
    }
    guard.watch(group);
    const exited = once(child.nodeChildProcess, 'exit');
    const innerGroup = confined?.hasInfo === true ? readInnerGroup(child.nodeChildProcess.stdio[3]) : undefined;
    const signal = (name: NodeJS.Signals) => {
      // Windows has no process groups.
      if (process.platform === 'win32') child.kill(name);
      else sendSignal(-((name === 'SIGTERM' ? innerGroup?.() : undefined) ?? group), name);
    };
    this.#server = { signal, stdin: child.stdin, guard, exited, ...(confined !== undefined && { confined }) };
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    const { stdin } = child.nodeChildProcess;
    stdin?.on('error', () => (this.#leftInput = true));
    // The end of stdin is a socket, on Linux. Reading it fails if the program ends with unread input.
    if (stdin instanceof Duplex) stdin._read(0);
    const lines = new MessageLines({
      onMessage: (message) => this.onmessage?.(message),
      onNoise: () => this.#options.onNoise?.(),
      onBroken: (error) => this.#fail(error),
    });
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // At `exit`, the pipes may still hold output.
    child.nodeChildProcess.once('close', (code, ending) => this.#fail(this.#exitError(code, ending)));
    void exited.then(() => {
      const destroyPipes = () => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
      setTimeout(destroyPipes, PIPE_GRACE_MS).unref();
    });
  }

  /** Rejects with `mcp_failed` if the pipe is closed. */
  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#server ?? {};
    if (stdin === undefined || !stdin.writable || this.#closing !== undefined) {
      throw this.#failure ?? connectionClosed();
    }
    if (stdin.write(encodeLine(message))) return;
    if (stdin.writableLength > MAX_UNREAD_BYTES) {
      this.#fail(new AgentError('mcp_failed', 'The MCP server does not read its input.'));
    }
    this.#drained ??= whenDrained(stdin).then(() => {
      this.#drained = undefined;
    });
    await this.#drained;
  }

  /** Resolves when the group is gone. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  #fail(error: AgentError): void {
    if (this.#closing !== undefined) return;
    this.#failure = error;
    this.onerror?.(error);
    void this.close();
  }

  async #stop(): Promise<void> {
    const server = this.#server;
    this.onclose?.();
    if (server === undefined) return;
    const { signal, stdin, guard, exited, confined } = server;
    stdin.end();
    if (!(await settlesWithin(exited, GRACE_MS))) {
      signal('SIGTERM');
      await settlesWithin(exited, GRACE_MS);
    }
    // Includes processes that the server left behind.
    signal('SIGKILL');
    await exited;
    const reverted = confined?.revert() ?? [];
    confined?.[Symbol.dispose]();
    this.#options.sandbox?.[Symbol.dispose]();
    await guard.dismiss();
    if (reverted.length > 0) this.#options.onReverted?.(reverted);
  }

  #exitError(code: number | null, signal: NodeJS.Signals | null): AgentError {
    const how = signal === null ? `code ${code}` : signal;
    const lastOutput = this.#stderr.lastLines;
    const place = this.#options.sandbox === undefined ? '' : ' in the sandbox, which its setting "sandbox" selects';
    const message = `The MCP server exited with ${how}${place}${lastOutput === '' ? '.' : `. Last output: ${lastOutput}`}`;
    return new AgentError('mcp_failed', message, { data: { exitCode: code, signal, leftInput: this.#leftInput } });
  }
}

/** Never rejects. */
async function whenDrained(stdin: Writable): Promise<void> {
  const settled = new AbortController();
  const { signal } = settled;
  // A closed pipe never emits `drain`, and `once` rejects after an error.
  await Promise.race(['drain', 'close'].map((event) => once(stdin, event, { signal }))).catch(() => undefined);
  settled.abort();
}

function connectionClosed(): AgentError {
  return new AgentError('mcp_failed', 'The connection to the MCP server is closed.');
}

/** Keeps the end of stderr. Reading all of it keeps the server from blocking. */
class OutputTail {
  readonly #decoder = new TextDecoder();
  #text = '';

  push(chunk: Uint8Array): void {
    const end = chunk.subarray(Math.max(0, chunk.length - MAX_STDERR_LENGTH * 4));
    this.#text = (this.#text + this.#decoder.decode(end, { stream: true })).slice(-MAX_STDERR_LENGTH);
  }

  get lastLines(): string {
    const lines = this.#text.trim().split(/\r?\n/).slice(-5);
    return lines.map((line) => toOneLine(line).slice(0, 400)).join(' | ');
  }
}
