import type { AgentEvent, PromptMessage } from '@qwen/agent';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionStart } from '@qwen/host/agent-host-options.js';
import { PromptIntake } from '@qwen/host/commands/prompt-intake.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import type { Notice } from '@qwen/host/notice.js';
import { createHost } from '@qwen/host/sessions/create-host.js';
import { type AgentConfig, AgentError } from '@qwen/protocol';
import type { CommandDialog } from '@qwen/protocol/openai';
import type { QuestionQueue } from './question-queue.js';

export interface ConversationOptions {
  readonly configuration: Configuration;
  readonly choice: SessionChoice;
  /** Overrides of the command line. */
  readonly start?: Partial<SessionStart>;
  readonly mcp: McpPool;
  readonly questions: QuestionQueue;
  readonly agents: () => readonly AgentConfig[];
  readonly publish: (event: AgentEvent) => Promise<void>;
  readonly announce: (notice: Notice) => void;
  readonly openDialog: (dialog: CommandDialog, content: string) => void;
  readonly quit: () => void;
}

/** No app registers hooks here. */
const NO_HOOKS = { hooks: [], about: () => [] } as const;

export class Conversation {
  readonly host: AgentHost;
  readonly roots: readonly string[];
  readonly #intake: PromptIntake;
  readonly #load: () => Promise<SessionCommands>;
  #commands: Promise<SessionCommands> | undefined;

  constructor(options: ConversationOptions) {
    const { configuration, choice, start, mcp, questions, agents, publish, announce, openDialog, quit } = options;
    const roots = [configuration.cwd, ...configuration.additionalRoots];
    this.roots = roots;
    const services = {
      mcp,
      hook: NO_HOOKS,
      permission: questions,
      agent: {
        get agents() {
          return agents();
        },
      },
    };
    const host = createHost({
      configuration,
      session: choice,
      service: () => services,
      publish,
      announce,
      roots,
      isWatched: true,
      ...(start !== undefined && { start }),
    });
    this.host = host;
    this.#load = async () => {
      const { loadCommands } = await import('@qwen/host/commands/load-commands.js');
      return loadCommands({
        configuration,
        host: () => host,
        service: services,
        announce,
        roots,
        showsDialogs: true,
        // Sessions can be resumed, so leaving loses nothing.
        confirmsQuit: () => false,
      });
    };
    const turns = new TurnCommands({
      host,
      load: () => this.commands(),
      confirmations: questions,
      publish,
      openDialog,
      quit,
      tellsFiles: true,
    });
    this.#intake = new PromptIntake({
      submit: (prompt) => host.submit(prompt),
      take: (prompt) => turns.take(prompt),
      endInput: () => host.endInput(),
    });
  }

  get sessionId(): string {
    return this.host.sessionId;
  }

  /** Loaded on first use. */
  commands(): Promise<SessionCommands> {
    this.#commands ??= this.#load();
    return this.#commands;
  }

  /** The prompt may be a command. Never throws. */
  take(prompt: PromptMessage, onRefused: (error: AgentError) => void): void {
    try {
      this.#intake.take(prompt, onRefused);
    } catch (thrown) {
      onRefused(AgentError.from(thrown));
    }
  }

  /** Stops the turn, persists its end and closes the session. Idempotent. */
  async leave(): Promise<void> {
    const { host } = this;
    host.interrupt({ by: 'user', reason: 'Switched to another session.' });
    host.endInput();
    await host.done;
    await host.close('other');
  }

  /** Runs a command that the user typed. Throws what the host's `runTool` throws. */
  runShell(turn: { readonly uuid: string; readonly callId: string }, command: string): void {
    this.host.runTool({ ...turn, name: 'run_shell_command', input: { command }, isClientInitiated: true });
  }
}
