import type { AgentEvent, PromptMessage } from '@qwen/agent';
import type { AgentHost } from '@qwen/host/agent-host.js';
import type { SessionStart } from '@qwen/host/agent-host-options.js';
import { mayReferToFiles, needsCommands } from '@qwen/host/commands/known-commands.js';
import type { SessionCommands } from '@qwen/host/commands/session-commands.js';
import { TurnCommands } from '@qwen/host/commands/turn-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import type { SessionChoice } from '@qwen/host/config/session-choice.js';
import type { McpPool } from '@qwen/host/mcp/mcp-pool.js';
import { NO_HOOKS } from '@qwen/host/sessions/create-host.js';
import { LiveSession } from '@qwen/host/sessions/live-session.js';
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
  readonly openDialog: (dialog: CommandDialog, content: string) => void;
  readonly quit: () => void;
}

export class Conversation {
  readonly #session: LiveSession;
  readonly #turns: TurnCommands;
  /** Not yet passed to the host. */
  readonly #steering = new Set<string>();

  constructor(options: ConversationOptions) {
    const { configuration, choice, start, mcp, questions, agents, publish, openDialog, quit } = options;
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
    this.#session = new LiveSession({
      choice,
      configuration,
      service: () => services,
      writeEvent: publish,
      isOnly: true,
      isWatched: true,
      showsDialogs: true,
      ...(start !== undefined && { start }),
    });
    this.#turns = new TurnCommands({
      host: this.host,
      load: () => this.commands(),
      confirmations: questions,
      publish: (event) => this.#session.publish(event),
      openDialog,
      quit,
      reportsFiles: true,
      advises: true,
    });
  }

  get host(): AgentHost {
    return this.#session.host;
  }

  get roots(): readonly string[] {
    return this.#session.roots;
  }

  get sessionId(): string {
    return this.#session.sessionId;
  }

  commands(): Promise<SessionCommands> {
    return this.#session.commands();
  }

  cancelTurn(): boolean {
    return this.#session.cancelTurn();
  }

  /** The prompt may be a command. Never throws. */
  take(prompt: PromptMessage, onRefused: (error: AgentError) => void): void {
    try {
      this.#session.inputs.add({
        promptId: () => prompt.uuid,
        take: (signal) => (needsCommands(prompt.content) ? this.#turns.take(prompt, signal) : this.host.submit(prompt)),
        refuse: onRefused,
      });
    } catch (thrown) {
      onRefused(AgentError.from(thrown));
    }
  }

  /**
   * Sends a prompt to the running turn. If the turn ends first, the prompt has its own turn, whose id is the prompt's.
   */
  steer(prompt: PromptMessage, onRefused: (error: AgentError) => void): void {
    this.#steering.add(prompt.uuid);
    const submit = (content: PromptMessage['content']): void => {
      if (this.#steering.delete(prompt.uuid)) this.host.submit({ ...prompt, content, priority: 'next' });
    };
    const isPlain = !mayReferToFiles(prompt.content);
    try {
      this.#session.inputs.add({
        promptId: () => prompt.uuid,
        take: isPlain
          ? () => submit(prompt.content)
          : async (signal) => submit(await this.#turns.expand({ turnId: prompt.uuid, signal }, prompt.content, [])),
        refuse: onRefused,
      });
    } catch (thrown) {
      onRefused(AgentError.from(thrown));
    }
  }

  /** Takes back a prompt of `steer()`. False if a turn has it. */
  withdraw(promptId: string): boolean {
    return this.#steering.delete(promptId) || this.host.withdraw(promptId);
  }

  /** Stops the turn, persists its end and closes the session. Idempotent. */
  async leave(): Promise<void> {
    const { host } = this;
    host.interrupt({ by: 'user', reason: 'Switched to another session.' });
    host.endInput();
    await host.done;
    await host.close('other');
  }
}
