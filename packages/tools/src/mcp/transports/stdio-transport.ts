import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { AgentError, encodeLine } from '@qwen/protocol';
import { MARKER_VARIABLE, type ProcessGuard, startGuard } from '../../shell/process-guard.js';
import { sendSignal } from '../../shell/stop-group.js';
import { MessageLines } from './message-lines.js';
import { OutputTail } from './output-tail.js';

export interface StdioTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the server. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
  /** Hears once that the server writes other things than messages to its stdout. */
  readonly onNoise?: () => void;
}

/** After stdin has ended, and again after SIGTERM: with both a server that ignores everything is gone in two seconds. */
const GRACE_MS = 1000;
/** How long a process of a server that has ended may hold its pipes open. */
const PIPE_GRACE_MS = 200;

interface RunningServer {
  /** Sends a signal to the server and everything in its group. */
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly stdin: Writable;
  readonly guard: ProcessGuard;
  /** Settles when the process itself has ended; never rejects. */
  readonly exited: Promise<unknown>;
}

/**
 * MCP over the stdin and stdout of a program that we start: no shell, a process group of its own, and a guard that
 * kills the group when we die without a chance to act. Ends through stdin, SIGTERM and SIGKILL of the whole group
 * (F113). What the server wrote last to stderr is part of the error that its end gives.
 */
export class StdioTransport implements Transport {
  readonly #options: StdioTransportOptions;
  readonly #stderr = new OutputTail();
  #server: RunningServer | undefined;
  #closing: Promise<void> | undefined;
  #failure: AgentError | undefined;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
  }

  /** Why the connection ended; undefined while it stands or when we closed it. */
  get failure(): AgentError | undefined {
    return this.#failure;
  }

  /** Rejects with `mcp_failed` when the program cannot be started. */
  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#options;
    const { execa } = await import('execa');
    const marker = crypto.randomUUID();
    const guard = startGuard(execa, marker);
    const child = execa(command, args, {
      cwd,
      env: { ...env, [MARKER_VARIABLE]: marker },
      extendEnv: false,
      stdin: 'pipe',
      stdout: 'pipe',
      stderr: 'pipe',
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
      const { code, originalMessage } = await child;
      throw new AgentError('mcp_failed', `The program ${command} cannot be started: ${code ?? originalMessage ?? ''}`);
    }
    guard.watch(group);
    const exited = once(child.nodeChildProcess, 'exit');
    const signal = (name: NodeJS.Signals) => {
      // Windows knows no groups.
      if (process.platform === 'win32') child.kill(name);
      else sendSignal(-group, name);
    };
    this.#server = { signal, stdin: child.stdin, guard, exited };
    // A server that left takes no more words; its end is told by the exit.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => undefined);
    const lines = new MessageLines({
      onMessage: (message) => this.onmessage?.(message),
      onNoise: () => this.#options.onNoise?.(),
      onBroken: (error) => this.#fail(error),
    });
    child.stdout.on('data', (chunk: Buffer) => lines.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    // Not at the exit: what the server said last is still in the pipes then.
    child.nodeChildProcess.once('close', (code, ending) => this.#fail(this.#exitError(code, ending)));
    void exited.then(() => {
      const letGo = () => [child.stdout, child.stderr].forEach((stream) => stream.destroy());
      setTimeout(letGo, PIPE_GRACE_MS).unref();
    });
  }

  /** Resolves when the pipe has taken the message; rejects with `mcp_failed` when it is closed. */
  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#server ?? {};
    if (stdin === undefined || !stdin.writable || this.#closing !== undefined) {
      throw this.#failure ?? new AgentError('mcp_failed', 'The connection to the MCP server is closed.');
    }
    if (stdin.write(encodeLine(message))) return;
    // Drain never comes on a pipe that died: whichever comes first (HOUSE §4.22).
    await new Promise<void>((resolve) => {
      const settle = () => {
        for (const event of ['drain', 'close', 'error']) stdin.off(event, settle);
        resolve();
      };
      for (const event of ['drain', 'close', 'error']) stdin.once(event, settle);
    });
  }

  /** Resolves when no process of the server is left. Idempotent. */
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
    const { signal, stdin, guard, exited } = server;
    stdin.end();
    if (!(await isOverWithin(exited, GRACE_MS))) {
      signal('SIGTERM');
      await isOverWithin(exited, GRACE_MS);
    }
    // Also what the server left behind in its group.
    signal('SIGKILL');
    await exited;
    await guard.dismiss();
  }

  #exitError(code: number | null, signal: NodeJS.Signals | null): AgentError {
    const how = signal === null ? `code ${code}` : signal;
    const said = this.#stderr.lastLines;
    const message = `The MCP server ended with ${how}${said === '' ? '.' : `; it said last: ${said}`}`;
    return new AgentError('mcp_failed', message, { data: { exitCode: code, signal } });
  }
}

async function isOverWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  const isOver = await Promise.race([work.then(() => true), limit]);
  clearTimeout(timer);
  return isOver;
}
