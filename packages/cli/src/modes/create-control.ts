import type { AgentDirectory } from '@qwen/host/agent-controls.js';
import { toAccount } from '@qwen/host/config/account.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverContext } from '@qwen/host/mcp/lazy-connector.js';
import { createModelDirectory } from '@qwen/host/model-directory.js';
import type { Notice } from '@qwen/host/notice.js';
import { type AgentError, type ControlFrame, type ControlLine, defined, encodeLine } from '@qwen/protocol';
import { ControlService } from '../control/control-service.js';
import type { ControlFailure } from '../control/controllers/controller.js';
import { toClaudeLine } from '../dialects/claude-control-lines.js';
import type { LineWriter } from '../io/line-writer.js';

export interface ControlWiring {
  readonly configuration: Configuration;
  readonly agents: AgentDirectory;
  readonly writer: LineWriter;
  readonly commandNames: () => readonly string[];
  readonly findCommandNames: () => Promise<readonly string[]> | undefined;
  readonly announce: (notice: Notice) => void;
  readonly leave: (reason: Error) => void;
  readonly reportFailure?: (failure: ControlFailure) => void;
  readonly onToolsChanged: () => void;
  readonly toLine?: (frame: ControlFrame) => ControlLine;
  readonly isSilent?: boolean;
  readonly onProblem?: (error: AgentError) => void;
}

export function createControl(wiring: ControlWiring): ControlService {
  const {
    configuration,
    agents,
    writer,
    commandNames,
    findCommandNames,
    announce,
    leave,
    onToolsChanged,
    toLine,
    isSilent,
    onProblem,
  } = wiring;
  const isForClaude = configuration.usesClaudeFormat && toLine === undefined;
  return new ControlService({
    agents,
    output: writer,
    commandNames,
    findCommandNames,
    announce,
    // The response with the reason must be written first.
    leave: (reason) => setImmediate(leave, reason),
    exit: () => process.exit(1),
    send: (line) => {
      if (isSilent !== true) writer.writeControl(encodeLine(isForClaude ? toClaudeLine(line) : line));
    },
    mcpConnector: lazyConnector(() => serverContext(configuration)),
    mcpServers: configuration.mcpServers,
    discoverMcpServers: () => discoverServers(configuration),
    onToolsChanged,
    sendsSuggestions: configuration.sendsSuggestions,
    answersQuestions: configuration.answersQuestions,
    asksNoOne: configuration.asksNoOne,
    cwd: configuration.cwd,
    toolNames: isForClaude ? 'claude' : 'qwen',
    account: toAccount(configuration.provider),
    models: createModelDirectory(configuration),
    openStore: async () => (await import('@qwen/host/session-store.js')).openStore(configuration),
    fileAgents: configuration.agentFiles.agents,
    ...defined({
      allowedMcpServers: configuration.allowedMcpServers,
      reportFailure: wiring.reportFailure,
      toLine,
      onProblem,
    }),
    ...(configuration.telemetry !== undefined && { tracer: configuration.telemetry.control }),
  });
}
