import { join } from 'node:path';
import { builtinCommands, type Command, CommandRegistry, promptCommands } from '@qwen/commands';
import { type CommandFileNotice, customCommands, type FileCommand } from '@qwen/commands/node';
import { AgentError, escapeHidden } from '@qwen/protocol';
import type { FindFileRules } from '../../core/file-rules.js';
import type { SessionService } from '../../core/session-service.js';
import { openWorkspace, type Workspace } from '../files/workspace.js';
import type { AgentFacts, McpPromptInfo } from './agent-facts.js';

export interface SessionCommandsOptions {
  readonly sessions: Pick<SessionService, 'getChecked'>;
  /** Absolute. */
  readonly userFolder: string;
  readonly prompts?: Pick<AgentFacts<readonly McpPromptInfo[]>, 'of'> | undefined;
  readonly fileRules?: FindFileRules | undefined;
}

export interface OpenCommands {
  readonly workspace: Workspace;
  /** Built-in commands, command files and requested MCP prompts, by precedence. */
  readonly registry: CommandRegistry;
  readonly notices: readonly CommandFileNotice[];
  readonly fileCommand: (command: Command) => FileCommand | undefined;
}

/**
 * The slash commands of sessions. Reads the files on each call, so edits apply at once. Workspaces are trusted: a client
 * of the server chose them, and command files only make prompts.
 */
export class SessionCommands {
  readonly #options: SessionCommandsOptions;

  constructor(options: SessionCommandsOptions) {
    this.#options = options;
  }

  /** Without MCP prompts, which need an agent. */
  async open(sessionId: string): Promise<OpenCommands> {
    return this.#read(await this.#workspaceOf(sessionId), []);
  }

  /** With MCP prompts, cached unless `reload` is true. */
  async openAll(
    sessionId: string,
    { reload = false }: { readonly reload?: boolean | undefined },
  ): Promise<OpenCommands> {
    const workspace = await this.#workspaceOf(sessionId);
    return this.#read(workspace, (await this.#options.prompts?.of(sessionId, { reload })) ?? []);
  }

  async #workspaceOf(sessionId: string): Promise<Workspace> {
    return openWorkspace(await this.#options.sessions.getChecked(sessionId), this.#options.fileRules);
  }

  #read(workspace: Workspace, prompts: readonly McpPromptInfo[]): OpenCommands {
    const custom = customCommands({
      projectFolders: ['.qwen', '.claude'].map((name) => join(workspace.root, name, 'commands')),
      userFolders: [this.#options.userFolder],
      isTrusted: () => true,
    });
    const files = custom.list();
    const servers = promptCommands(() => prompts.map(toPrompt));
    return {
      workspace,
      registry: new CommandRegistry([builtinCommands(), { list: () => files }, servers]),
      notices: custom.notices,
      fileCommand: (command) => files.find((one) => one === command),
    };
  }
}

function toPrompt({ name, description }: McpPromptInfo) {
  // The agent fills it in.
  return { commandName: name, description, parameters: [], fill: async () => '' };
}

export function toCommandName(command: string): string {
  return command.trim().replace(/^\//, '');
}

export function unknownCommand(command: string): AgentError {
  return new AgentError('unknown_command', `Command not found: /${escapeHidden(toCommandName(command))}`);
}
