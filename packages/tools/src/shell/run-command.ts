import { setTimeout as delay } from 'node:timers/promises';
import { AgentError } from '@qwen/protocol';
import { LiveOutput } from './live-output.js';
import { type MarkedProcess, markedProcesses } from './marked-processes.js';
import { OutputBuffer } from './output-buffer.js';
import { MARKER_VARIABLE, startGuard } from './process-guard.js';
import { type OutputStreams, shellFor } from './shell-program.js';
import { type EndedBy, GroupStopper, sendSignal } from './stop-group.js';

export interface CommandRequest {
  readonly command: string;
  /** Absolute; must be a folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** What it reads on stdin. Default: nothing. */
  readonly input?: string;
  /** Default `joined`. */
  readonly streams?: OutputStreams;
  /** How much of the output is kept, beginning and end together; as much of the errors when they come apart. */
  readonly maxOutputBytes: number;
  /** Ends the command. */
  readonly signal: AbortSignal;
  readonly emit: (text: string) => void;
}

/** How a command ended. `exitCode` is null when a signal ended it (F52). */
export interface CommandResult {
  readonly output: string;
  /** What came on stderr; empty when both streams are joined. */
  readonly errors: string;
  /** True when the middle of the output is missing. */
  readonly isCut: boolean;
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy: EndedBy;
  /** How many background processes were still in its group; they were killed. Known on Linux only. */
  readonly leftBehind: number;
  /** Processes that left the group and still run; none after a timeout or abort. Known on Linux only (F41). */
  readonly escaped: readonly number[];
}

/** How long output may still come from background processes once the shell itself is gone (F51). */
const PIPE_GRACE_MS = 200;

/**
 * Runs a command in a process group and session of its own: no terminal, no descriptors but 0 to 2.
 * Resolves when it has ended, by itself or stopped, and nothing of its group is left. Throws `tool_failed` when it
 * cannot be started.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const { execa } = await import('execa');
  const { program, args } = shellFor(request.command, request.streams ?? 'joined');
  const marker = crypto.randomUUID();
  const guard = startGuard(execa, marker);
  try {
    const child = execa(program, args, {
      cwd: request.folder,
      env: { ...request.environment, [MARKER_VARIABLE]: marker },
      extendEnv: false,
      ...(request.input === undefined ? { stdin: 'ignore' } : { input: request.input }),
      buffer: false,
      encoding: 'buffer',
      detached: true,
      cleanup: false,
      reject: false,
    });
    const { pid: group } = child;
    if (group === undefined) {
      throw new AgentError('tool_failed', `The command could not be started: ${(await child).originalMessage}`);
    }
    guard.watch(group);
    const output = new OutputBuffer(request.maxOutputBytes);
    const errors = new OutputBuffer(request.maxOutputBytes);
    const live = new LiveOutput(request.emit);
    for (const [stream, buffer] of [
      [child.stdout, output],
      [child.stderr, errors],
    ] as const) {
      stream.on('data', (chunk: Buffer) => {
        buffer.push(chunk);
        live.push(chunk);
        releaseMemory(chunk);
      });
    }
    using stopper = new GroupStopper({ ...request, group });
    const { nodeChildProcess } = child;
    const closed = new Promise<void>((resolve) => {
      nodeChildProcess.once('close', () => resolve());
    });
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      nodeChildProcess.once('exit', (...ending) => resolve(ending));
    });
    await settledWithin(closed, PIPE_GRACE_MS);
    const { endedBy } = stopper;
    const left = endRest({ group, marker, endedBy });
    await settledWithin(closed, PIPE_GRACE_MS);
    // Whoever left the group may hold our pipes for ever; what it has to say is no longer part of the result.
    child.stdout.destroy();
    child.stderr.destroy();
    await child;
    return {
      output: output.toText(),
      errors: errors.toText(),
      isCut: output.totalBytes > request.maxOutputBytes,
      exitCode,
      signal,
      endedBy,
      ...left,
    };
  } finally {
    await guard.dismiss();
  }
}

/** Ends what is left of the group; after a timeout or abort also what slipped out of it. */
function endRest({ group, marker, endedBy }: { group: number; marker: string; endedBy: EndedBy }) {
  const left = markedProcesses(marker);
  const isInside = (one: MarkedProcess) => one.group === group;
  const outside = left.filter((one) => !isInside(one)).map(({ pid }) => pid);
  sendSignal(-group, 'SIGKILL');
  if (endedBy !== 'itself') for (const pid of outside) sendSignal(pid, 'SIGKILL');
  return { leftBehind: left.filter(isInside).length, escaped: endedBy === 'itself' ? outside : [] };
}

async function settledWithin(promise: Promise<void>, limitMs: number): Promise<void> {
  const abort = new AbortController();
  await Promise.race([promise, delay(limitMs, undefined, { signal: abort.signal }).catch(() => {})]);
  abort.abort();
}

/** ES2024; our type library is a year older than the oldest Node that we run on. */
interface DetachableBuffer extends ArrayBuffer {
  transfer(newByteLength: number): ArrayBuffer;
}

/**
 * Gives the memory of bytes that nobody needs any more back at once, if they are all of their buffer. Node reads each
 * chunk of a pipe into a new buffer, and a flood piles up 68 MiB of them before the garbage collector looks; with this
 * it is 5 MiB (measured with 1 GiB of output, F16). The bytes cannot be used after it.
 */
function releaseMemory({ buffer, length }: Uint8Array): void {
  if (isDetachable(buffer) && buffer.byteLength === length) buffer.transfer(0);
}

function isDetachable(buffer: ArrayBufferLike): buffer is DetachableBuffer {
  return 'transfer' in buffer;
}
