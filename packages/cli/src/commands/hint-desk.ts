import { HintEngine, toHintLine, toHintQuery } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { AgentError } from '@qwen/protocol';
import type { HintCancel, HintRequest } from '@qwen/protocol/openai';
import type { Configuration } from '../config/load-config.js';
import type { LiveSession } from '../sessions/live-session.js';
import type { SessionCommands } from './session-commands.js';

export interface HintDeskOptions {
  readonly configuration: Configuration;
  readonly commandsOf: (session: LiveSession) => Promise<SessionCommands>;
  readonly say: (line: object) => void;
}

/** Hints for all sessions of the process (group G): one engine each, one index of files for all. */
export class HintDesk {
  readonly #options: HintDeskOptions;
  readonly #index = new FileIndex();
  readonly #engines = new Map<string, Promise<HintEngine>>();

  constructor(options: HintDeskOptions) {
    this.#options = options;
  }

  request(request: HintRequest, session: LiveSession): void {
    const query = toHintQuery(request, this.#options.configuration.cwd);
    this.#engineOf(session)
      .then((engine) => engine.request(query))
      .catch((thrown: unknown) => {
        const { message } = AgentError.from(thrown);
        this.#options.say(toHintLine({ query, status: 'error', message }, request.session_id ?? session.sessionId));
      });
  }

  cancel({ prompt_id: promptId, trigger }: HintCancel, session: LiveSession): void {
    this.#engines
      .get(session.sessionId)
      ?.then((engine) => engine.cancel(promptId, trigger))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.values()) (await engine.catch(() => undefined))?.close();
    await this.#index.close();
  }

  #engineOf(session: LiveSession): Promise<HintEngine> {
    const made = this.#engines.get(session.sessionId) ?? this.#create(session);
    this.#engines.set(session.sessionId, made);
    return made;
  }

  async #create(session: LiveSession): Promise<HintEngine> {
    const { commandsOf, say } = this.#options;
    const commands = await commandsOf(session);
    let hides: (path: string) => boolean = () => false;
    const view = { roots: () => session.roots, isHidden: (path: string) => hides(path) };
    const files = this.#index.viewedBy(view);
    return new HintEngine({
      commands: {
        list: () =>
          commands.registry.list().map((command) => ({ ...command, completes: command.complete !== undefined })),
        complete: async (name, partial) => {
          const command = commands.registry.find(name);
          return (await command?.complete?.(partial, commands.completionSources)) ?? [];
        },
      },
      files: {
        search: async (query) => {
          // The rules may have changed since the last question.
          hides = (await session.host.permissionView()).hides;
          return files.search(query);
        },
      },
      clock: {
        startTimer: (ms, callback) => {
          const timer = setTimeout(callback, ms);
          return () => clearTimeout(timer);
        },
      },
      onAnswer: (answer) => say(toHintLine(answer, session.sessionId)),
    });
  }
}
