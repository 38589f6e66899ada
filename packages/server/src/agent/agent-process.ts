import {
  AgentError,
  AsyncQueue,
  type ContentBlock,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  type TraceContext,
} from '@qwen/protocol';
import { type BackgroundTask, type CanUseTool, type LaunchOptions, type Query, query } from '@qwen/sdk';
import type { TaskCommand, TaskReply } from '../core/turn-dispatcher.js';
import type { SessionRecord } from '../store/session-record.js';

/** See the options of `query()`. */
export type AgentLaunch = Pick<LaunchOptions, 'pathToQwenExecutable' | 'executable' | 'env' | 'spawnProcess'>;

export interface AgentProcessOptions {
  readonly session: SessionRecord;
  readonly launch: AgentLaunch;
  /** Resume the stored conversation. */
  readonly resume: boolean;
  /** Must not throw. */
  readonly onStderr?: ((line: string) => void) | undefined;
}

export interface AgentTurn {
  /** Also that of its prompt in the conversation. */
  readonly id: string;
  readonly content: readonly ContentBlock[];
  readonly isLiteral: boolean;
  readonly canUseTool: CanUseTool;
  /** Milliseconds for which the session may be used; undefined: forever. */
  readonly leaseTtlMs?: (() => number) | undefined;
  /** The span to which the turn belongs. */
  readonly trace?: TraceContext | undefined;
}

/** A change of these needs a new process. */
export function launchKey({
  workspaceRoot,
  directories,
  model,
  approvalMode,
  sandbox,
  allowedTools,
  effort,
}: Pick<
  SessionRecord,
  'workspaceRoot' | 'directories' | 'model' | 'approvalMode' | 'sandbox' | 'allowedTools' | 'effort'
>): string {
  return JSON.stringify([workspaceRoot, directories, model, approvalMode, sandbox, allowedTools, effort]);
}

/** A `query()` that stays open across turns. The owner closes it. */
export class AgentProcess {
  readonly launchKey: string;
  readonly isResumed: boolean;
  readonly #query: Query;
  readonly #prompts = new AsyncQueue<SDKUserMessage>();
  #turn: AgentTurn | undefined;
  #hasLease = false;

  /** Throws `cli_not_found`. */
  constructor({ session, launch, resume, onStderr }: AgentProcessOptions) {
    this.launchKey = launchKey(session);
    this.isResumed = resume;
    const { id, workspaceRoot, directories, model, approvalMode, sandbox, allowedTools, hasIncrements } = session;
    const { effort } = session;
    this.#query = query({
      prompt: this.#prompts,
      options: {
        ...launch,
        cwd: workspaceRoot,
        includeDirectories: directories,
        model,
        permissionMode: approvalMode,
        sandbox,
        ...(allowedTools !== undefined && { allowedTools }),
        ...(effort !== undefined && { effort }),
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

  /** One turn at a time. Returns the result. Throws `process_exited`; `lease_lost` before the prompt is sent. */
  async *runTurn(turn: AgentTurn): AsyncGenerator<SDKMessage, SDKResultMessage, undefined> {
    this.#turn = turn;
    try {
      // Before the prompt, so that an agent that works always has a deadline.
      if (turn.leaseTtlMs !== undefined) await this.#startLease(turn.leaseTtlMs);
      this.#prompts.push({
        type: 'user',
        uuid: turn.id,
        message: { role: 'user', content: toContent(turn.content) },
        ...(turn.isLiteral && { is_literal: true }),
        ...(turn.trace !== undefined && { trace_context: turn.trace }),
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

  /**
   * Adds a message to the running turn. Resolves with whether the turn took it; `user` messages with its id show the
   * place. Rejects when `signal` aborts, and with the errors of `Query.steer()`.
   */
  steer(
    message: Pick<AgentTurn, 'id' | 'content' | 'isLiteral'>,
    options: { readonly priority: 'now' | 'next'; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const content = message.isLiteral ? [...message.content] : toContent(message.content);
    return this.#query.steer(content, { uuid: message.id, ...options });
  }

  async #startLease(ttlMs: () => number): Promise<void> {
    // The start may take longer than the lease, and is renewed meanwhile.
    await this.#query.initialized;
    this.#hasLease = true;
    await this.#query.renewLease(ttlMs());
  }

  readonly #canUseTool: CanUseTool = (toolName, input, context) => {
    if (this.#turn !== undefined) return this.#turn.canUseTool(toolName, input, context);
    return { behavior: 'deny', message: 'No one can approve tools between turns.' };
  };

  /** Lets an agent with a lease run for another `ttlMs`, or ends it if that is not above 0. */
  renew(ttlMs: number): void {
    if (this.#hasLease) this.#query.renewLease(ttlMs).catch(() => undefined);
  }

  /** Errors: `task_not_found`, `process_exited`. */
  async answer(command: TaskCommand): Promise<TaskReply | true> {
    if (command.kind === 'list-tasks') return { tasks: await this.listTasks() };
    if (command.kind === 'task-output') return { output: await this.#query.taskOutput(command.taskId) };
    await this.#query.stopTask(command.taskId);
    return true;
  }

  /** Errors: `process_exited`. */
  listTasks(): Promise<BackgroundTask[]> {
    return this.#query.listTasks();
  }

  /** The result follows. */
  async interrupt(): Promise<void> {
    await this.#query.interrupt();
  }

  /** Never rejects. */
  async close({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    this.#prompts.end();
    await this.#query.close({ graceMs });
  }
}

/** Only a string can be a slash command. */
function toContent(content: readonly ContentBlock[]): SDKUserMessage['message']['content'] {
  const [only, ...more] = content;
  return only?.type === 'text' && more.length === 0 ? only.text : [...content];
}
