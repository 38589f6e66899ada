import type { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import type { AgentHost } from '@qwen/host/agent-host.js';
import { needsCommands } from '@qwen/host/commands/known-commands.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { Surface } from '@qwen/host/config/surface.js';
import { looksOf } from '@qwen/host/config/terminal-look.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverContext } from '@qwen/host/mcp/lazy-connector.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { sessionFacts } from '@qwen/host/session-facts.js';
import { NO_HOOKS } from '@qwen/host/sessions/create-host.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
import type { Dialect } from '@qwen/host/styled-output/dialect.js';
import { encodeLine, escapeHidden, type SDKMessage } from '@qwen/protocol';
import { createAgentMessages } from '../dialects/agent-messages.js';
import { createText, type TextPiece } from '../dialects/text.js';
import { LineWriter } from '../io/line-writer.js';
import { writePiece } from '../io/text-output.js';
import { denyWithHint } from './deny-with-hint.js';
import { exitCodeOf } from './machine-mode.js';

export interface PrintOptions {
  readonly prompt: string;
  readonly surface: Surface;
  readonly configuration: Configuration;
  readonly session: SessionChoice;
  readonly output: Writable;
  readonly stderr: Writable;
  readonly shutdown: Shutdown;
}

const TURN_LIMIT_MS = 1_000;
const FLUSH_LIMIT_MS = 1_700;

/** Returns the exit code. Never rejects. */
export async function runPrint(options: PrintOptions): Promise<number> {
  const { configuration, output, shutdown } = options;
  // If the reader closes, end the turn and drop the output.
  const writer = new LineWriter(output, { onLost: (error) => shutdown.begin(toExitCode(error)) });
  let exitCode = 1;
  const mcp = new McpPool({
    connector: lazyConnector(() => serverContext(configuration)),
    discover: () => discoverServers(configuration),
    onChanged: () => session.host.refreshTools(),
    announce: (notice) => session.announce(notice),
    ...(configuration.allowedMcpServers !== undefined && { allowedNames: configuration.allowedMcpServers }),
  });
  mcp.add(configuration.mcpServers);
  const denial = denyWithHint('No one can approve it here.');
  const permission = { ...denial, answersQuestions: false, about: () => denial };
  const service = { mcp, agent: configuration.agentFiles, hook: NO_HOOKS, permission };
  const session: LiveSession = new LiveSession({
    choice: options.session,
    configuration,
    service: () => service,
    isOnly: true,
    writeEvent: async (event) => {
      if (event.type === 'turn_end') exitCode = exitCodeOf(event.outcome);
      await printer.print(event);
    },
  });
  const { host } = session;
  const printer =
    options.surface.output === 'document'
      ? jsonPrinter({ configuration, host, writer, mcp })
      : textPrinter(options, writer);
  shutdown.onBegin(() => host.interrupt({ by: 'shutdown', reason: 'Interrupted.' }));
  const commands = new TurnCommands({
    host,
    load: () => session.commands(),
    publish: async (event) => {
      await session.publish(event);
      // No model answer was streamed before it.
      if (event.type === 'turn_end' && event.outcome.type === 'success') await printer.answer(event.outcome.text);
    },
    quit: () => undefined,
    advises: options.surface.output !== 'document',
  });
  const prompt = { uuid: crypto.randomUUID(), content: options.prompt };
  session.inputs.add({
    promptId: () => prompt.uuid,
    take: (signal) => (needsCommands(prompt.content) ? commands.take(prompt, signal) : host.submit(prompt)),
    refuse: (error) => {
      options.stderr.write(`qwen: ${escapeHidden(error.message, { keepLines: true })}\n`);
      shutdown.begin(toExitCode(error));
    },
  });
  session.endInput();
  await shutdown.bound(host.done, TURN_LIMIT_MS);
  await shutdown.bound(finish({ host, printer, writer, mcp, shutdown }), FLUSH_LIMIT_MS);
  return shutdown.exitCode ?? exitCode;
}

interface Ending {
  readonly host: AgentHost;
  readonly printer: Printer;
  readonly writer: LineWriter;
  readonly mcp: McpPool;
  readonly shutdown: Shutdown;
}

async function finish({ host, printer, writer, mcp, shutdown }: Ending): Promise<void> {
  const reason = shutdown.exitCode === undefined ? 'prompt_input_exit' : 'other';
  await Promise.all([host.close(reason), mcp.close()]);
  await printer.end();
  await writer.flush();
}

interface Printer {
  /** Prints the output of a command. */
  answer(text: string): Promise<void>;
  print(event: AgentEvent): Promise<void>;
  end(): Promise<void>;
}

function textPrinter({ output, stderr }: PrintOptions, writer: LineWriter): Printer {
  const toPieces: Dialect<TextPiece> = createText(looksOf({ stdout: output, stderr }));
  return {
    async print(event) {
      for (const piece of toPieces(event)) await writePiece(piece, { writer, stderr });
    },
    answer: async (text) => {
      if (text !== '') await writer.write(`${escapeHidden(text, { keepLines: true })}\n`);
    },
    end: async () => {},
  };
}

interface JsonPrinting {
  readonly configuration: Configuration;
  readonly host: AgentHost;
  readonly writer: LineWriter;
  readonly mcp: McpPool;
}

function jsonPrinter({ configuration, host, writer, mcp }: JsonPrinting): Printer {
  const toMessages = createAgentMessages({
    sessionId: host.sessionId,
    newId: () => crypto.randomUUID(),
    facts: () =>
      sessionFacts({
        configuration,
        host,
        mcpServers: mcp.list(),
        slashCommands: [],
        agents: configuration.agentFiles.agents,
      }),
  });
  const messages: SDKMessage[] = [];
  return {
    async print(event) {
      messages.push(...toMessages(event));
    },
    // The result already contains it.
    answer: async () => {},
    end: () => writer.write(encodeLine(messages)),
  };
}
