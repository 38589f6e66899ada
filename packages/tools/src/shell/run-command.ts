import type { Readable } from 'node:stream';
import { settlesWithin } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import type { Sandbox } from '../sandbox/sandbox.js';
import { LiveOutput } from './live-output.js';
import { type MarkedProcess, markedProcesses } from './marked-processes.js';
import { OutputBuffer } from './output-buffer.js';
import { OutputFile } from './output-file.js';
import { MARKER_VARIABLE, missingIn, startGuard } from './process-guard.js';
import { type OutputStreams, shellFor } from './shell-program.js';
import { type EndedBy, GroupStopper, readInnerGroup, sendSignal } from './stop-group.js';

export interface CommandRequest {
  readonly command: string;
  /** Absolute. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Missing: the command has all rights of the user. */
  readonly sandbox?: Sandbox;
  /** Default: none. */
  readonly timeoutMs?: number | undefined;
  /** When it aborts, the time limit no longer applies. */
  readonly unlimited?: AbortSignal;
  readonly input?: string;
  /** Default `joined`. */
  readonly streams?: OutputStreams;
  /** Per stream. The middle is dropped. */
  readonly maxOutputBytes: number;
  /** Where to save all of a longer stdout. Default: nowhere. */
  readonly outputPath?: () => string;
  /** Saves also shorter output. */
  readonly savesAll?: boolean;
  /** Gets all output; the chunk is valid only during the call. */
  readonly onOutput?: (chunk: Buffer) => void;
  readonly signal: AbortSignal;
  readonly emit: (text: string) => void;
}

/** `exitCode` is null if a signal ended the command. */
export interface CommandResult {
  readonly output: string;
  /** Stderr; empty if both streams are joined. */
  readonly errors: string;
  readonly isCut: boolean;
  readonly saved?: OutputFile['saved'];
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly endedBy: EndedBy;
  /** Killed background processes of the group. Linux only. */
  readonly leftBehind: number;
  /** Processes that left the group and still run. Linux only. */
  readonly escaped: readonly number[];
  /** Protected files that the command created in the sandbox; they were renamed. */
  readonly reverted: readonly string[];
  /** Hosts that the sandbox refused. */
  readonly blockedHosts: readonly string[];
}

/** For background processes to write after the shell has exited. */
const PIPE_GRACE_MS = 200;
const MAX_STARTS = 5;

/**
 * Runs a command in its own process group and session. Resolves when the whole group is gone. Throws `tool_failed`
 * if it cannot be started.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  let result = await runOnce(request);
  for (let attempt = 1; attempt < MAX_STARTS && isUnstarted(request, result); attempt += 1) {
    result = await runOnce(request);
  }
  return result;
}

/** A socket or file that the sandbox hides may vanish before it starts. The command did not run then. */
function isUnstarted({ sandbox, signal }: CommandRequest, { output, errors, endedBy }: CommandResult): boolean {
  const isOfSandbox = output === '' && errors.startsWith("bwrap: Can't ");
  return sandbox !== undefined && endedBy === 'itself' && !signal.aborted && isOfSandbox;
}

async function runOnce(request: CommandRequest): Promise<CommandResult> {
  const { execa } = await import('execa');
  const marker = crypto.randomUUID();
  const start = {
    ...shellFor(request.command, request.streams ?? 'joined'),
    folder: request.folder,
    environment: { ...request.environment, [MARKER_VARIABLE]: marker },
  };
  using confined = await request.sandbox?.confine(start);
  const { program, args, folder, environment } = confined ?? start;
  const guard = startGuard(execa, marker, missingIn(confined?.watched));
  try {
    const child = execa(program, args, {
      cwd: folder,
      env: environment,
      extendEnv: false,
      stdio: [
        request.input === undefined ? 'ignore' : 'pipe',
        'pipe',
        'pipe',
        ...(confined?.hasInfo === true ? (['pipe'] as const) : []),
      ],
      ...(request.input !== undefined && { input: request.input }),
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
    const captured = captureOutput(child, request);
    const { nodeChildProcess } = child;
    const innerGroup = confined?.hasInfo !== true ? undefined : readInnerGroup(nodeChildProcess.stdio[3]);
    using stopper = new GroupStopper({ ...request, group, ...(innerGroup !== undefined && { innerGroup }) });
    const closed = new Promise<void>((resolve) => {
      nodeChildProcess.once('close', () => resolve());
    });
    const [exitCode, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
      nodeChildProcess.once('exit', (...ending) => resolve(ending));
    });
    await settlesWithin(closed, PIPE_GRACE_MS);
    const { endedBy } = stopper;
    const left = endRest({ group, marker, endedBy });
    await settlesWithin(closed, PIPE_GRACE_MS);
    // Processes outside of the group may hold the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
    await child;
    return {
      ...captured.end(),
      exitCode,
      signal,
      endedBy,
      ...left,
      reverted: confined?.revert() ?? [],
      blockedHosts: (await request.sandbox?.takeBlockedHosts()) ?? [],
    };
  } finally {
    await guard.dismiss();
  }
}

/** Starts to read both streams. `end` closes the file for long output. */
function captureOutput(
  child: { readonly stdout: Readable; readonly stderr: Readable },
  { outputPath, maxOutputBytes, savesAll, emit, onOutput }: CommandRequest,
): { end(): Pick<CommandResult, 'saved' | 'output' | 'errors' | 'isCut'> } {
  const output = new OutputBuffer(maxOutputBytes);
  const errors = new OutputBuffer(maxOutputBytes);
  const file =
    outputPath === undefined ? undefined : new OutputFile(outputPath, savesAll === true ? 0 : maxOutputBytes);
  const live = new LiveOutput(emit);
  for (const [stream, buffer] of [
    [child.stdout, output],
    [child.stderr, errors],
  ] as const) {
    stream.on('data', (chunk: Buffer) => {
      buffer.push(chunk);
      if (buffer === output) file?.push(chunk);
      onOutput?.(chunk);
      live.push(chunk);
      releaseMemory(chunk);
    });
  }
  return {
    end: () => {
      file?.close();
      return {
        ...(file?.saved !== undefined && { saved: file.saved }),
        output: output.toText(),
        errors: errors.toText(),
        isCut: output.totalBytes > maxOutputBytes,
      };
    },
  };
}

/** After a timeout or abort, also kills processes that left the group. */
function endRest({ group, marker, endedBy }: { group: number; marker: string; endedBy: EndedBy }) {
  const left = markedProcesses(marker);
  const isInside = (one: MarkedProcess) => one.group === group;
  const outside = left.filter((one) => !isInside(one)).map(({ pid }) => pid);
  sendSignal(-group, 'SIGKILL');
  if (endedBy !== 'itself') for (const pid of outside) sendSignal(pid, 'SIGKILL');
  return { leftBehind: left.filter(isInside).length, escaped: endedBy === 'itself' ? outside : [] };
}

/** ES2024, which the type library lacks. */
interface DetachableBuffer extends ArrayBuffer {
  transfer(newByteLength: number): ArrayBuffer;
}

/** Each chunk has its own buffer, of which 68 MiB pile up before a garbage collection; with this, 5 MiB do. */
function releaseMemory({ buffer, length }: Uint8Array): void {
  if (isDetachable(buffer) && buffer.byteLength === length) buffer.transfer(0);
}

function isDetachable(buffer: ArrayBufferLike): buffer is DetachableBuffer {
  return 'transfer' in buffer;
}
