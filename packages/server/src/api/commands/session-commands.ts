import { join } from 'node:path';
import { builtinCommands, type Command, CommandRegistry, promptCommands } from '@qwen/commands';
import { type CommandFileNotice, customCommands, type FileCommand } from '@qwen/commands/node';
import { AgentError } from '@qwen/protocol';
import { toVisibleName } from '@qwen/tools';
import type { FindFileRules } from '../../core/file-rules.js';
import type { SessionService } from '../../core/session-service.js';
import { openWorkspace, type Workspace } from '../files/workspace.js';
import type { McpPromptFacts, McpPrompts } from './mcp-prompts.js';

export interface SessionCommandsOptions {
  readonly sessions: Pick<SessionService, 'get'>;
  /** The user's own commands, beside those of the project; absolute. */
  readonly userFolder: string;
  /** The prompts of the MCP servers of a session. Default: none. */
  readonly prompts?: Pick<McpPrompts, 'of'> | undefined;
  /** What rules say about files that commands bring along. Default: nothing. */
  readonly fileRules?: FindFileRules | undefined;
}

/** The commands of a session as they are now. */
export interface OpenCommands {
  readonly workspace: Workspace;
  /** Built-in ones, those of files, and those of MCP servers where they were asked for; the strongest first. */
  readonly registry: CommandRegistry;
  /** Files that are no commands (GAP-82). */
  readonly notices: readonly CommandFileNotice[];
  /** What makes the prompt of a command, if a file does. */
  readonly fileCommand: (command: Command) => FileCommand | undefined;
}

/**
 * The slash commands of sessions (Q.22). Files are read afresh each time, so an edit counts at once and nothing is kept.
 * Whoever may call the server named the workspace, so its command files count; they make prompts and run nothing.
 */
export class SessionCommands {
  readonly #options: SessionCommandsOptions;

  constructor(options: SessionCommandsOptions) {
    this.#options = options;
  }

  /** Without the prompts of MCP servers, for which an agent has to be asked. */
  async open(sessionId: string): Promise<OpenCommands> {
    return this.#read(await this.#workspaceOf(sessionId), []);
  }

  /** With them; they are remembered unless `reload` is true. */
  async openAll(
    sessionId: string,
    { reload = false }: { readonly reload?: boolean | undefined },
  ): Promise<OpenCommands> {
    const workspace = await this.#workspaceOf(sessionId);
    return this.#read(workspace, (await this.#options.prompts?.of(sessionId, { reload })) ?? []);
  }

  async #workspaceOf(sessionId: string): Promise<Workspace> {
    return openWorkspace(await this.#options.sessions.get(sessionId), this.#options.fileRules);
  }

  #read(workspace: Workspace, prompts: readonly McpPromptFacts[]): OpenCommands {
    const custom = customCommands({
      projectFolder: join(workspace.root, '.qwen', 'commands'),
      userFolder: this.#options.userFolder,
      isTrusted: () => true,
    });
    const files = custom.list();
    const servers = promptCommands(() => prompts.map(toPrompt));
    return {
      workspace,
      registry: new CommandRegistry([builtinCommands(), { list: () => files }, servers]),
      notices: custom.notices,
      fileCommand: ({ name }) => files.find((one) => one.name === name),
    };
  }
}

function toPrompt({ name, description }: McpPromptFacts) {
  // The agent fills it in; here it is only known by name.
  return { commandName: name, description, parameters: [], fill: async () => '' };
}

/** The name that a request means, with or without the slash. */
export function toCommandName(command: string): string {
  return command.trim().replace(/^\//, '');
}

/** In the words of the document. */
export function unknownCommand(command: string): AgentError {
  return new AgentError('unknown_command', `Command not found: /${toVisibleName(toCommandName(command))}`);
}
