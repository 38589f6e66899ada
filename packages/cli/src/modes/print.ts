import { randomUUID } from 'node:crypto';
import type { Writable } from 'node:stream';
import type { AgentEvent, PermissionPort } from '@qwen/agent';
import type { SDKMessage } from '@qwen/protocol';
import { openSession } from '../compose.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionChoice } from '../config/session-choice.js';
import { createAgentMessages } from '../dialects/agent-messages.js';
import type { Dialect } from '../dialects/dialect.js';
import { createText, type TextPiece } from '../dialects/text.js';
import { toExitCode } from '../exit-code.js';
import { LineWriter } from '../io/line-writer.js';
import { readVersion } from '../version.js';

export interface PrintOptions {
  readonly prompt: string;
  readonly format: 'text' | 'json';
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly output: Writable;
  /** Where the remarks around the answer go. */
  readonly remarks: Writable;
  /** Aborting it interrupts the turn. */
  readonly signal: AbortSignal;
}

/** Nobody sits at the controls: whatever needs a permission is denied, with the way to give it (DESIGN §6). */
const denyWithHint: PermissionPort = {
  ask: async ({ toolName, reason }) => ({
    behavior: 'deny',
    message: `${reason} Nobody is here to ask; start qwen with --allowed-tools "${toolName}" or another --approval-mode.`,
  }),
};

/** Answers one prompt and says how it ended as an exit code. Rejects when the session cannot be opened. */
export async function runPrint(options: PrintOptions): Promise<number> {
  const { configuration, session: choice, output, signal } = options;
  const { model, permissionMode } = configuration;
  const session = await openSession({
    configuration,
    session: choice,
    start: { model, permissionMode },
    permissions: denyWithHint,
    moreTools: [],
  });
  // Whoever reads us may go away: then the turn ends, and what is left to say is said to nobody.
  const stop = (reason: string) => session.interrupt({ by: 'shutdown', reason });
  const writer = new LineWriter(output, { onLost: () => stop('Nobody reads the output any more.') });
  signal.addEventListener('abort', () => stop('Interrupted.'), { once: true });
  const printer = options.format === 'json' ? jsonPrinter(options, writer) : textPrinter(options, writer);
  session.submit({ uuid: randomUUID(), content: options.prompt });
  session.endInput();
  if (signal.aborted) return 1;
  let exitCode = 1;
  for await (const event of session.events()) {
    await printer.print(event);
    if (event.type === 'turn_end') exitCode = exitCodeOf(event);
  }
  await printer.end();
  await session.close();
  await writer.flush();
  return exitCode;
}

interface Printer {
  print(event: AgentEvent): Promise<void>;
  end(): Promise<void>;
}

function textPrinter({ remarks }: PrintOptions, writer: LineWriter): Printer {
  const toPieces: Dialect<TextPiece> = createText();
  return {
    async print(event) {
      for (const { to, text } of toPieces(event)) {
        if (to === 'stdout') await writer.write(text);
        else remarks.write(text);
      }
    },
    end: async () => {},
  };
}

/** One JSON document at the end: the array of all messages (GAP-13). */
function jsonPrinter({ configuration, session }: PrintOptions, writer: LineWriter): Printer {
  const toMessages = createAgentMessages({
    sessionId: session.sessionId,
    newId: randomUUID,
    facts: () => ({
      cwd: configuration.cwd,
      model: configuration.model,
      permissionMode: configuration.permissionMode,
      tools: configuration.tools,
      mcpServers: [],
      slashCommands: [],
      agents: [],
      version: readVersion(),
    }),
  });
  const messages: SDKMessage[] = [];
  return {
    async print(event) {
      messages.push(...toMessages(event));
    },
    end: () => writer.write(`${JSON.stringify(messages)}\n`),
  };
}

function exitCodeOf({ outcome }: Extract<AgentEvent, { type: 'turn_end' }>): number {
  switch (outcome.type) {
    case 'success':
      return 0;
    case 'interrupted':
    case 'max_turns':
      return 1;
    case 'error':
      return toExitCode(outcome.error);
  }
}
