import { loadAgents } from '@qwen/host/agents/load-agents.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { NamedTheme } from '@qwen/host/config/theme-files.js';
import type { Flags } from '@qwen/host/flags/args.js';
import { discoverServers } from '@qwen/host/mcp/discover-servers.js';
import { lazyConnector, serverContext } from '@qwen/host/mcp/lazy-connector.js';
import { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { StyledLine } from '../lines/styled-line.js';
import { firstState } from '../state/terminal-state.js';
import { TerminalStore } from '../state/terminal-store.js';
import type { Theme } from '../theme/theme.js';
import { Transcript } from '../transcript/transcript.js';
import { EventFeed } from './event-feed.js';
import { QuestionQueue } from './question-queue.js';
import { ScreenSession } from './screen-session.js';

export interface ScreenSessionParts {
  readonly configuration: Configuration;
  readonly choice: SessionChoice;
  readonly flags: Flags;
  readonly output: NodeJS.WriteStream;
  readonly isScreenReader: boolean;
  readonly fullKey?: string;
  readonly toTheme: (theme: NamedTheme) => Theme;
  readonly print: (lines: readonly StyledLine[]) => void;
  readonly quit: (exitCode: number) => void;
}

export function createScreenSession(parts: ScreenSessionParts): { session: ScreenSession; transcript: Transcript } {
  const { configuration, choice, flags, output, isScreenReader, fullKey, toTheme, print, quit } = parts;
  const { configDir, settings, allowedMcpServers } = configuration;
  const store = new TerminalStore(firstState(configuration));
  const columns = (): number => output.columns;
  const transcript = new Transcript({
    columns,
    isScreenReader,
    folder: configuration.cwd,
    ...(fullKey !== undefined && { fullKey }),
  });
  const questions = new QuestionQueue(store);
  const mcp = new McpPool({
    connector: lazyConnector(() => serverContext(configuration)),
    discover: () => discoverServers(configuration),
    onChanged: () => {
      session.host.refreshTools();
      // Renders the server list again.
      store.update((state) => ({ ...state }));
    },
    announce: (notice) => session.announce(notice),
    elicitFor: (name) => questions.elicitFor(name),
    ...(allowedMcpServers !== undefined && { allowedNames: allowedMcpServers }),
  });
  mcp.add(configuration.mcpServers);
  const session: ScreenSession = new ScreenSession({
    configuration,
    choice,
    store,
    questions,
    mcp,
    transcript,
    feed: new EventFeed({ store, transcript, print, output }),
    columns,
    toTheme,
    readAgents: async () => (await loadAgents({ configDir, flags, settings })).agents,
    quit,
    ...(flags.promptInteractive !== undefined && { firstPrompt: flags.promptInteractive }),
  });
  return { session, transcript };
}
