import { resolve } from 'node:path';
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
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
import { AgentServer } from './agent-server.js';

/** Serves the agent over the Model Context Protocol on stdin and stdout until the client closes them. */
export async function runMcpServe({ words, environment, cwd, printError }: SubcommandOptions): Promise<number> {
  const flags = readServerFlags(words, { command: 'qwen mcp serve', option: 'mcp serve', printError });
  if (process.stdin.isTTY) printError('waiting for an MCP client on stdin; end with Ctrl+C');
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
  const server = new AgentServer({
    flags: { ...flags, sessionsDir: sessionsDirectory },
    environment,
    cwd,
    sessionsDirectory,
    printError,
  });
  const write = callbackify((text: string) => writer.write(text));
  const output = new Writable({
    decodeStrings: false,
    write: (text: string, _encoding, done) => write(text, done),
  });
  const { maxLineBytes } = readLineLimit(environment);
  const transport = new StdioServerTransport(process.stdin, output, defined({ maxBufferSize: maxLineBytes }));
  const ended = new Promise<void>((closed) => {
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => closed());
    shutdown.onBegin(closed);
  });
  const handle = serveStdio(() => server.create(), { transport, onerror: ({ message }) => printError(message) });
  const exitCode = await runCourse({
    shutdown,
    writer,
    // Without a client, the end is bounded as after a signal.
    work: ended.then(() => shutdown.begin(0)),
    close: () => Promise.all([server.close(), handle.close()]),
  });
  parent.stop();
  forgetSignals();
  forgetCrashes();
  return exitCode;
}
