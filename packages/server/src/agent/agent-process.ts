import {
  AgentError,
  AsyncQueue,
  type ContentBlock,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
} from '@qwen/protocol';
import { type CanUseTool, type LaunchOptions, type Query, query } from '@qwen/sdk';
import type { SessionRecord } from '../store/session-record.js';

/** How agents are started; see the options of `query()`. */
export type AgentLaunch = Pick<LaunchOptions, 'pathToQwenExecutable' | 'executable' | 'env' | 'spawnProcess'>;

export interface AgentProcessOptions {
  readonly session: SessionRecord;
  readonly launch: AgentLaunch;
  /** Whether to resume the stored conversation or to start a new one. */
  readonly resume: boolean;
  /** Called with each line of stderr. Must not throw. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

export interface AgentTurn {
  readonly content: readonly ContentBlock[];
  /** Whether slash commands and `@` references in it are plain text. */
  readonly isLiteral: boolean;
  readonly canUseTool: CanUseTool;
}

/** The part of a session that is fixed when its process starts; if it changes, the session needs a new process. */
export function launchKey({
  workspaceRoot,
  directories,
  model,
  approvalMode,
}: Pick<SessionRecord, 'workspaceRoot' | 'directories' | 'model' | 'approvalMode'>): string {
  return JSON.stringify([workspaceRoot, directories, model, approvalMode]);
}

/** One agent process: a `query()` that stays open across turns. The owner closes it. */
export class AgentProcess {
  readonly launchKey: string;
  /** Whether it was started to resume a stored conversation. */
  readonly isResumed: boolean;
  readonly #query: Query;
  readonly #prompts = new AsyncQueue<SDKUserMessage>();
  #turn: AgentTurn | undefined;

  /** Starts the process in the background. Throws `cli_not_found`. */
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
        // The approval broker has the only deadline.
        timeout: { canUseTool: 0 },
        // The SDK warns about a callback that is never called.
        ...(approvalMode !== 'yolo' && { canUseTool: this.#canUseTool }),
        ...(onStderr !== undefined && { stderr: onStderr }),
      },
    });
  }

  get isGone(): boolean {
    return this.#query.isClosed();
  }

  /** Runs one turn at a time: yields its messages and returns its result. Throws `process_exited`. */
  async *runTurn(turn: AgentTurn): AsyncGenerator<SDKMessage, SDKResultMessage, undefined> {
    this.#turn = turn;
    try {
      this.#prompts.push({
        type: 'user',
        message: { role: 'user', content: toContent(turn.content) },
        ...(turn.isLiteral && { is_literal: true }),
      });
      for (;;) {
        const item = await this.#query.next();
        if (item.done === true) throw new AgentError('process_exited', 'The agent exited before the turn ended.');
        if (item.value.type === 'result') return item.value;
        yield item.value;
      }
    } finally {
      this.#turn = undefined;
    }
  }

  readonly #canUseTool: CanUseTool = (toolName, input, context) => {
    if (this.#turn !== undefined) return this.#turn.canUseTool(toolName, input, context);
    return { behavior: 'deny', message: 'No one can approve tools between turns.' };
  };

  /** Stops the running turn; its result follows. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  /** Resolves when the process is gone. Never rejects. */
  async close({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#prompts.end();
    await this.#query.close({ graceMs });
  }
}

/** A single text block is sent as a string, because only a string can be a slash command. */
function toContent(content: readonly ContentBlock[]): SDKUserMessage['message']['content'] {
  const [only, ...more] = content;
  return only?.type === 'text' && more.length === 0 ? only.text : [...content];
}
