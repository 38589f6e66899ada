import { AgentError, AsyncQueue, type ContentBlock, type SDKMessage, type SDKUserMessage } from '@qwen/protocol';
import { type CanUseTool, type LaunchOptions, type Query, query } from '@qwen/sdk';
import type { SessionRecord } from '../store/session-record.js';

/** How agents are started; what the options of `query()` say of the program itself. */
export type AgentLaunch = Pick<LaunchOptions, 'pathToQwenExecutable' | 'executable' | 'env' | 'spawnProcess'>;

export interface AgentProcessOptions {
  readonly session: SessionRecord;
  readonly launch: AgentLaunch;
  /** Whether to go on with the conversation that the agent has stored, or to begin one. */
  readonly resume: boolean;
  /** Hears a line of the agent's stderr. Must not throw. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

/** What a turn asks of its agent while it runs. */
export interface AgentTurn {
  readonly content: readonly ContentBlock[];
  /** Whether no slash command and no `@` reference in it means anything. */
  readonly isLiteral: boolean;
  readonly canUseTool: CanUseTool;
}

/** What a session looks like to a process that was started for it; with another look it needs another process. */
export function launchKey({
  workspaceRoot,
  directories,
  model,
  approvalMode,
}: Pick<SessionRecord, 'workspaceRoot' | 'directories' | 'model' | 'approvalMode'>): string {
  return JSON.stringify([workspaceRoot, directories, model, approvalMode]);
}

/** One agent, in a process of its own: a `query()` that stays open from turn to turn. Whoever makes it closes it. */
export class AgentProcess {
  readonly launchKey: string;
  /** Whether it was told to go on with a stored conversation. */
  readonly isResumed: boolean;
  readonly #query: Query;
  readonly #prompts = new AsyncQueue<SDKUserMessage>();
  #turn: AgentTurn | undefined;

  /** Starts the process; it gets ready while nobody waits. Throws `cli_not_found`. */
  constructor({ session, launch, resume, onStderr }: AgentProcessOptions) {
    this.launchKey = launchKey(session);
    this.isResumed = resume;
    const { id, workspaceRoot, directories, model, approvalMode, hasIncrements } = session;
    this.#query = query({
      prompt: this.#prompts,
      options: {
        ...launch,
        cwd: workspaceRoot,
        includeDirectories: directories,
        model,
        permissionMode: approvalMode,
        includePartialMessages: hasIncrements,
        ...(resume ? { resume: id } : { sessionId: id }),
        // The question waits for a person at our own desk, which has the only clock.
        timeout: { canUseTool: 0 },
        // Where everything runs, a callback that is never asked is worth a warning.
        ...(approvalMode !== 'yolo' && { canUseTool: this.#canUseTool }),
        ...(onStderr !== undefined && { stderr: onStderr }),
      },
    });
  }

  get isGone(): boolean {
    return this.#query.isClosed();
  }

  /**
   * Plays one turn: its messages, the result being the last. Throws `process_exited` when the process goes away in it.
   * One turn at a time.
   */
  async *play(turn: AgentTurn): AsyncGenerator<SDKMessage, void, undefined> {
    this.#turn = turn;
    try {
      this.#prompts.push({
        type: 'user',
        message: { role: 'user', content: toContent(turn.content) },
        ...(turn.isLiteral && { is_literal: true }),
      });
      for (;;) {
        const item = await this.#query.next();
        if (item.done === true) throw new AgentError('process_exited', 'The agent left before the turn was over.');
        yield item.value;
        if (item.value.type === 'result') return;
      }
    } finally {
      this.#turn = undefined;
    }
  }

  readonly #canUseTool: CanUseTool = (toolName, input, context) => {
    if (this.#turn !== undefined) return this.#turn.canUseTool(toolName, input, context);
    return { behavior: 'deny', message: 'Nobody can be asked between turns.' };
  };

  /** Stops the turn that is played; its result follows. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  /** Ends the process. Resolves when it is gone; never rejects. */
  async close({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#prompts.end();
    await this.#query.close({ graceMs });
  }
}

/** A lone text goes as text: only then can it be a slash command. */
function toContent(content: readonly ContentBlock[]): SDKUserMessage['message']['content'] {
  const [only, ...more] = content;
  return only?.type === 'text' && more.length === 0 ? only.text : [...content];
}
