import type { AgentError } from '@qwen/protocol';
import type { CommandDescriptor, CommandResult, TurnSummary } from '@qwen/protocol/openai';
import type { QwenEvent } from '../terminal/events.js';
import { toLineFailure } from '../terminal/line-failure.js';
import type { EventStream } from './event-stream.js';
import type { TurnResult } from './turn.js';

export interface RunningTurnParts {
  readonly sessionId: string;
  readonly promptId: string;
  readonly events: EventStream;
}

export class RunningTurn {
  readonly sessionId: string;
  readonly promptId: string;
  readonly events: EventStream;
  lineNumber = 0;
  readonly #result = Promise.withResolvers<TurnResult>();
  readonly #command = Promise.withResolvers<CommandResult | undefined>();
  #text = '';
  #error: AgentError | undefined;
  #isOver = false;

  constructor({ sessionId, promptId, events }: RunningTurnParts) {
    this.sessionId = sessionId;
    this.promptId = promptId;
    this.events = events;
    this.#command.promise.catch(() => undefined);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  get result(): Promise<TurnResult> {
    return this.#result.promise;
  }

  get command(): Promise<CommandResult | undefined> {
    return this.#command.promise;
  }

  accept(event: QwenEvent, bytes: number): void {
    if (this.#isOver) return;
    this.events.push(event, bytes);
    switch (event.kind) {
      case 'message':
        if (event.role === 'assistant' && event.text !== '') this.#text = event.text;
        return;
      case 'error':
        this.#error = toLineFailure(event.error);
        // A refused input has no summary: this line ends its turn.
        if (event.error.line_number !== undefined) this.#finish({});
        return;
      case 'command':
        this.#acceptCommand(event.command, event.result);
        return;
      case 'summary':
        this.#finish({ summary: event.summary });
        return;
      default:
    }
  }

  fail(error: AgentError): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#result.reject(error);
    this.#command.reject(error);
    this.events.fail(error);
  }

  #acceptCommand(command: CommandDescriptor | undefined, result: CommandResult): void {
    if (command?.kind !== 'slash') return;
    this.#command.resolve(result);
    const continues = result.type === 'submit_prompt' && result.handled_by === 'cli';
    if (!continues) this.#finish({ command: result });
  }

  #finish({ summary, command }: { readonly summary?: TurnSummary; readonly command?: CommandResult }): void {
    this.#isOver = true;
    const { sessionId, promptId } = this;
    this.#command.resolve(undefined);
    this.#result.resolve({
      sessionId,
      promptId,
      text: this.#text,
      usage: summary?.usage,
      toolCalls: summary?.tool_calls ?? 0,
      summary,
      command,
      error: this.#error,
    });
    this.events.end();
  }
}
