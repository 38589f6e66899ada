import { type HintAnswer, HintEngine, toHintQuery } from '@qwen/commands';
import { FileIndex } from '@qwen/commands/node';
import { AgentError } from '@qwen/protocol';
import type { HintCancel, HintRequest } from '@qwen/protocol/openai';
import type { AgentHost } from '../agent-host.js';
import type { Configuration } from '../config/load-config.js';
import type { SessionCommands } from './session-commands.js';

/** A client may use any number of names; the least recently used engine is dropped. */
const MAX_ENGINES = 64;

export interface HintedSession {
  readonly sessionId: string;
  readonly roots: readonly string[];
  readonly host: Pick<AgentHost, 'permissionView'>;
  commands(): Promise<SessionCommands>;
}

export interface HintServiceOptions {
  readonly configuration: Configuration;
  /** Receives each answer with the session name used in the request. */
  readonly onAnswer: (answer: HintAnswer, askedAs: string) => void;
}

/**
 * Hints for all sessions: one engine per session name, so that requests do not displace each other, and one file
 * index.
 */
export class HintService {
  readonly #options: HintServiceOptions;
  readonly #index = new FileIndex();
  readonly #engines = new Map<string, Promise<HintEngine>>();

  constructor(options: HintServiceOptions) {
    this.#options = options;
  }

  request(request: HintRequest, session: HintedSession): void {
    const query = toHintQuery(request, this.#options.configuration.cwd);
    this.#engineOf(session, nameOf(request, session))
      .then((engine) => engine.request(query))
      .catch((thrown: unknown) => {
        const { message } = AgentError.from(thrown);
        this.#options.onAnswer({ query, status: 'error', message }, nameOf(request, session));
      });
  }

  cancel(request: HintCancel, session: HintedSession): void {
    const { prompt_id: promptId, trigger } = request;
    this.#engines
      .get(keyOf(session, nameOf(request, session)))
      ?.then((engine) => engine.cancel(promptId, trigger))
      .catch(() => undefined);
  }

  async close(): Promise<void> {
    for (const engine of this.#engines.values()) (await engine.catch(() => undefined))?.close();
    await this.#index.close();
  }

  #engineOf(session: HintedSession, name: string): Promise<HintEngine> {
    const key = keyOf(session, name);
    const made = this.#engines.get(key) ?? this.#create(session, name);
    this.#engines.delete(key);
    this.#engines.set(key, made);
    const [oldest] = this.#engines;
    if (this.#engines.size > MAX_ENGINES && oldest !== undefined) {
      this.#engines.delete(oldest[0]);
      oldest[1].then((engine) => engine.close()).catch(() => undefined);
    }
    return made;
  }

  async #create(session: HintedSession, askedAs: string): Promise<HintEngine> {
    const { onAnswer } = this.#options;
    const commands = await session.commands();
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
          // Read again: the rules may have changed.
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
      onAnswer: (answer) => onAnswer(answer, askedAs),
    });
  }
}

function nameOf({ session_id: name }: HintRequest | HintCancel, { sessionId }: HintedSession): string {
  return name || sessionId;
}

function keyOf({ sessionId }: HintedSession, name: string): string {
  return JSON.stringify([sessionId, name]);
}
