import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { MessageTooLargeError, ndJsonStream, type Stream } from '@agentclientprotocol/sdk';
import { findConfigDir, sessionsFolder } from '@qwen/host/config/config-dir.js';
import { readLineLimit } from '@qwen/host/config/load-config.js';
import { onCrash } from '@qwen/host/process/crashes.js';
import { watchParent } from '@qwen/host/process/parent-watch.js';
import { Shutdown } from '@qwen/host/process/shutdown.js';
import { onEndingSignal } from '@qwen/host/process/signals.js';
import { defined } from '@qwen/protocol';
import { LineWriter, openStdout } from '../io/line-writer.js';
import { runCourse } from '../modes/machine-mode.js';
import { readServerFlags } from '../subcommands/server-flags.js';
import type { SubcommandOptions } from '../subcommands/subcommand.js';
import { AcpAgent } from './acp-agent.js';

/** Serves the Agent Client Protocol on stdin and stdout until the client closes them. */
export async function runAcp({ words, environment, cwd, print, printError }: SubcommandOptions): Promise<number> {
  if (words.some((word) => word === '--help' || word === '-h')) {
    const { ACP } = await import('../subcommands/command-specs.js');
    await print((await import('../subcommands/words/command-help.js')).commandHelp('acp', ACP));
    return 0;
  }
  const flags = readServerFlags(words, { command: 'qwen acp', option: '--acp', printError });
  if (process.stdin.isTTY) printError('waiting for an editor on stdin; end with Ctrl+C');
  const shutdown = new Shutdown();
  const writer = new LineWriter(openStdout(), { onLost: () => shutdown.begin(0) });
  const forgetSignals = onEndingSignal((exitCode) => shutdown.begin(exitCode));
  const parent = watchParent(() => shutdown.begin(1));
  const forgetCrashes = onCrash(({ message }) => {
    printError(message);
    shutdown.begin(1);
  });
  const sessionsDirectory =
    flags.sessionsDir === undefined ? sessionsFolder(findConfigDir(environment, cwd)) : resolve(cwd, flags.sessionsDir);
  const agent = new AcpAgent({
    flags: { ...flags, sessionsDir: sessionsDirectory },
    environment,
    cwd,
    sessionsDirectory,
    printError,
  });
  const { maxLineBytes } = readLineLimit(environment);
  const stream = openStream(process.stdin, { writer, agent, ...defined({ maxMessageBytes: maxLineBytes }) });
  const connection = agent.app.connect(stream);
  shutdown.onBegin(() => connection.close());
  const exitCode = await runCourse({
    shutdown,
    writer,
    // Without a client, the end is bounded as after a signal.
    work: connection.closed.then(() => shutdown.begin(exitCodeAfter(connection.signal.reason, printError))),
    close: (reason) => agent.close(reason),
  });
  parent.stop();
  forgetSignals();
  forgetCrashes();
  return exitCode;
}

/** A client that leaves is the usual end. */
function exitCodeAfter(reason: unknown, printError: (text: string) => void): number {
  if (!(reason instanceof MessageTooLargeError)) return 0;
  printError(`${reason.message}. Set QWEN_MAX_LINE_BYTES to accept longer messages.`);
  return 1;
}

interface StreamParts {
  readonly writer: LineWriter;
  readonly agent: AcpAgent;
  readonly maxMessageBytes?: number;
}

/** The library frames the messages; each answer is reported once it was written. */
function openStream(input: Readable, { writer, agent, ...limits }: StreamParts): Stream {
  const decoder = new TextDecoder();
  const bytes = new WritableStream<Uint8Array>({ write: (chunk) => writer.write(decoder.decode(chunk)) });
  const lines = ndJsonStream(bytes, Readable.toWeb(input) as ReadableStream<Uint8Array>, limits);
  const output = lines.writable.getWriter();
  return {
    readable: lines.readable,
    writable: new WritableStream({
      write: async (message) => {
        await output.write(message);
        if (!('method' in message) && message.id !== undefined) agent.noteAnswer(message.id);
      },
    }),
  };
}
