import { AgentError, type PermissionMode } from '@qwen/protocol';
import type { AgentEvent, InterruptSource } from '../events.js';
import type { AnyTool } from '../tool.js';
import type { AgentSessionOptions, PromptMessage } from './options.js';

/** One conversation with the agent: owns the inbox, the current turn, its AbortController and the log. */
export class AgentSession {
  readonly sessionId: string;
  #options: AgentSessionOptions;

  constructor(options: AgentSessionOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
  }

  get model(): string {
    return this.#options.model;
  }

  get permissionMode(): PermissionMode {
    return this.#options.permissionMode;
  }

  get tools(): readonly AnyTool[] {
    return this.#options.tools;
  }

  /** Queues a prompt. Throws `overloaded` when 32 wait already, and `channel_closed` after `endInput()` or `close()`. */
  submit(message: PromptMessage): void {
    throw new AgentError('internal', message.uuid);
  }

  /** No more prompts come: `events()` ends once everything queued is answered. */
  endInput(): void {
    throw new AgentError('internal', this.sessionId);
  }

  /** The one stream of events; one reader at a time. Pull-driven: nothing runs that nobody reads. */
  async *events(): AsyncGenerator<AgentEvent, void, undefined> {
    yield { type: 'notice', code: 'internal', message: this.sessionId };
  }

  /** Stops the current turn only. False when nothing runs. */
  interrupt(interruption: { readonly by: InterruptSource; readonly reason: string }): boolean {
    throw new AgentError('internal', interruption.reason);
  }

  /** Switches from the next model call on; rejects with the error of `createModel` and keeps the old model then. */
  async setModel(model: string): Promise<void> {
    throw new AgentError('internal', model);
  }

  /** Holds from the next decision on. */
  setPermissionMode(mode: PermissionMode): void {
    throw new AgentError('internal', mode);
  }

  /** Holds from the next model call on. */
  setTools(tools: readonly AnyTool[]): void {
    throw new AgentError('internal', String(tools.length));
  }

  /** Stops the turn, drops what is queued, ends `events()` and closes the log. Idempotent. */
  async close(): Promise<void> {
    await this.#options.log.close();
  }
}
