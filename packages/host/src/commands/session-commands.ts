import type { CommandSource, ServerPrompt } from '@qwen/commands';
import {
  builtinCommands,
  type CommandInvocation,
  CommandRegistry,
  type CommandRun,
  type CompletionSources,
  type ExpandedPrompt,
  expandReferences,
  parseCommandLine,
  promptCommands,
  runCommand,
  topLevelNames,
} from '@qwen/commands';
import { type CustomCommands, createFileReferences, customCommands, textCommand } from '@qwen/commands/node';
import type { ContentBlock, ControlScope } from '@qwen/protocol';
import type { CommandReference } from '@qwen/protocol/openai';
import type { Configuration } from '../config/load-config.js';
import type { ManagedServer } from '../mcp/managed-server.js';
import type { ConfirmationServiceApi } from '../service-apis.js';
import { skillText } from '../skills/skill-texts.js';
import type { CommandContext } from './command-context.js';
import { createCommandHost } from './command-host.js';
import { commandFolders } from './known-commands.js';
import { isCommandFolderTrusted } from './trusted-commands.js';

export interface ExpandOptions {
  readonly references: readonly CommandReference[];
  readonly signal: AbortSignal;
}

export interface CommandQuestions {
  readonly confirmations: ConfirmationServiceApi;
  readonly signal: AbortSignal;
  readonly place?: ControlScope;
}

/** The slash commands and at references of one session, shared by all modes. */
export class SessionCommands {
  readonly registry: CommandRegistry;
  readonly host: ReturnType<typeof createCommandHost>;
  readonly #context: CommandContext;
  readonly #custom: CustomCommands;
  readonly #reported = new Set<string>();

  constructor(context: CommandContext) {
    const { configuration, mcpServers } = context;
    this.#context = context;
    this.host = createCommandHost(context);
    const { project, user } = commandFolders(configuration);
    this.#custom = customCommands({
      projectFolders: project,
      userFolders: user,
      plugins: configuration.settings.plugins.flatMap(({ name, folder, commandFolders: folders }) =>
        folders.map((place) => ({ folder: place, boundary: folder, prefix: name })),
      ),
      isTrusted: () => isCommandFolderTrusted(configuration),
    });
    this.registry = new CommandRegistry(
      [
        builtinCommands(),
        this.#custom,
        skillCommands(configuration),
        promptCommands(() => serverPrompts(mcpServers())),
      ],
      configuration.disabledCommands,
    );
  }

  get completionSources(): CompletionSources {
    return { host: this.host, commands: this.registry.list() };
  }

  get names(): readonly string[] {
    return topLevelNames(this.registry.list());
  }

  read(line: string): CommandInvocation | undefined {
    return parseCommandLine(line, this.registry);
  }

  /** Never rejects: the outcome reports failures. Invalid command files are reported once. */
  async run(invocation: CommandInvocation): Promise<CommandRun> {
    // It may be a prompt of an MCP server that is still connecting.
    if (this.registry.match(invocation.path) === undefined) await this.#context.mcpReady();
    const run = await runCommand(this.registry, invocation, this.host);
    for (const { path, message } of this.#custom.notices) {
      if (this.#reported.has(path)) continue;
      this.#reported.add(path);
      this.#context.announce({ code: 'command_file_skipped', message: `${path} ${message}`, data: { path } });
    }
    return run;
  }

  /** Runs a command again with the answer if it asks for confirmation. */
  async runConfirmed(invocation: CommandInvocation, questions: CommandQuestions | undefined): Promise<CommandRun> {
    const run = await this.run(invocation);
    const { outcome } = run;
    if (questions === undefined) return run;
    const { confirmations, ...how } = questions;
    if (outcome.type === 'confirm_action') {
      const { type, prompt, rawInvocation: raw } = outcome;
      return this.run({ ...invocation, ...(await confirmations.confirm({ type, prompt, raw }, how)) });
    }
    if (outcome.type === 'confirm_shell_commands') {
      const { type, commands, rawInvocation: raw } = outcome;
      return this.run({ ...invocation, ...(await confirmations.confirm({ type, commands, raw }, how)) });
    }
    return run;
  }

  /** Adds the referenced files to a prompt and reports those it cannot read. Rejects on abort only. */
  async expand(
    content: string | readonly ContentBlock[],
    { references, signal }: ExpandOptions,
  ): Promise<ExpandedPrompt> {
    const { configuration, roots, host } = this.#context;
    const { hides } = await host().permissionView();
    const source = createFileReferences({ cwd: configuration.cwd, roots, isHidden: hides });
    const expanded = await expandReferences(content, { source, references, signal });
    for (const { message } of expanded.warnings) {
      this.#context.announce({ code: 'reference_warning', message });
    }
    return expanded;
  }
}

function serverPrompts(servers: readonly ManagedServer[]): readonly ServerPrompt[] {
  return servers.flatMap((server) =>
    (server.connection?.prompts ?? []).map((prompt) => ({
      commandName: prompt.commandName,
      description: prompt.description,
      parameters: prompt.parameters,
      fill: async (values) => (await server.connect()).getPrompt(prompt.name, values),
    })),
  );
}

/** `/NAME` sends the instructions of a skill. */
function skillCommands({ skillFiles }: Pick<Configuration, 'skillFiles'>): CommandSource {
  const commands = skillFiles.skills
    .filter(({ isCommand }) => isCommand)
    .map((skill) => {
      const { name, description, argumentHint: usage } = skill;
      const text = (args: string) => `Use the skill ${name}.\n\n${skillText(skill, args)}`;
      return textCommand({ name, description, text, ...(usage !== undefined && { usage }) });
    });
  return { list: () => commands };
}
