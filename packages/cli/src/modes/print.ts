import type { Writable } from 'node:stream';
import type { AgentEvent } from '@qwen/agent';
import { AgentHost } from '@qwen/host/agent-host.js';
import { PromptIntake } from '@qwen/host/commands/prompt-intake.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { Surface } from '@qwen/host/config/surface.js';
import { looksOf } from '@qwen/host/config/terminal-look.js';
import { offeredAnyway } from '@qwen/host/config/tool-selection.js';
import { toExitCode } from '@qwen/host/exit-code.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverSurroundings } from '@qwen/host/mcp/lazy-connector.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { Notice } from '@qwen/host/notice.js';
import type { Shutdown } from '@qwen/host/process/shutdown.js';
import { sessionFacts } from '@qwen/host/session-facts.js';
import { sessionOptions, startOf } from '@qwen/host/session-start.js';
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
  readonly outputs: Writable;
  readonly shutdown: Shutdown;
}

/** Shutdown limit for the turn. */
const TURN_LIMIT_MS = 1_000;
/** Shutdown limit for flushing the output. */
const FLUSH_LIMIT_MS = 1_700;

const NO_HOOKS = { hooks: [] } as const;

/** Returns the exit code. Never rejects. */
export async function runPrint(options: PrintOptions): Promise<number> {
  const { configuration, session, output, shutdown } = options;
  // If the reader closes, end the turn and drop the output.
  const writer = new LineWriter(output, { onLost: (error) => shutdown.begin(toExitCode(error)) });
  let exitCode = 1;
  const announce = (notice: Notice): void => void printer.print({ type: 'notice', ...notice, parentToolUseId: null });
  const mcp = new McpPool({
    connector: lazyConnector(() => serverSurroundings(configuration)),
    discover: () => discoverServers(configuration),
    onChanged: () => host.refreshTools(),
    announce,
    ...(configuration.allowedMcpServers !== undefined && { allowedNames: configuration.allowedMcpServers }),
  });
  mcp.add(configuration.mcpServers);
  const host: AgentHost = new AgentHost({
    ...sessionOptions(configuration, session),
    start: startOf(configuration),
    prepare: async () => {
      const { prepareSession } = await import('@qwen/host/compose.js');
      const [create] = await Promise.all([
        prepareSession({
          configuration,
          session,
          permissions: denyWithHint('No one can approve it here.'),
          registeredHooks: () => [],
          agents: () => configuration.agentFiles.agents,
          announce,
        }),
        mcp.whenReady(),
      ]);
      return create;
    },
    toolNames: offeredAnyway(configuration.tools),
    moreTools: () => mcp.tools,
    publish: (event) => tell(event),
  });
  const tell = async (event: AgentEvent): Promise<void> => {
    if (event.type === 'turn_end') exitCode = exitCodeOf(event.outcome);
    await printer.print(event);
  };
  const printer =
    options.surface.output === 'document'
      ? jsonPrinter({ configuration, host, writer, mcp })
      : textPrinter(options, writer);
  shutdown.onBegin(() => host.interrupt({ by: 'shutdown', reason: 'Interrupted.' }));
  const commands = new TurnCommands({
    host,
    load: async () => {
      const { loadCommands } = await import('@qwen/host/commands/load-commands.js');
      const { agents } = configuration.agentFiles;
      return loadCommands({
        configuration,
        host: () => host,
        service: { mcp, agent: { agents }, hook: NO_HOOKS },
        announce,
      });
    },
    publish: async (event) => {
      await tell(event);
      // No model answer was streamed before it.
      if (event.type === 'turn_end' && event.outcome.type === 'success') await printer.answer(event.outcome.text);
    },
    quit: () => undefined,
  });
  const intake = new PromptIntake({
    submit: (prompt) => host.submit(prompt),
    take: (prompt) => commands.take(prompt),
    endInput: () => host.endInput(),
  });
  intake.take({ uuid: crypto.randomUUID(), content: options.prompt }, (error) => shutdown.begin(toExitCode(error)));
  intake.endInput();
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

function textPrinter({ output, outputs }: PrintOptions, writer: LineWriter): Printer {
  const toPieces: Dialect<TextPiece> = createText(looksOf({ stdout: output, stderr: outputs }));
  return {
    async print(event) {
      for (const piece of toPieces(event)) await writePiece(piece, { writer, outputs });
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
