import type { AnyTool, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';

export interface HostToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const ANY_INPUT = { type: 'object' } as const;

interface HostCall {
  readonly result: PromiseWithResolvers<ToolResult>;
  isAnswered: boolean;
}

const INPUT_CLOSED: ToolResult = { content: 'Input closed', isError: true };
const WITHDRAWN: ToolResult = { content: 'The call was cancelled before the client answered.', isError: true };

/**
 * Tools run by the client: a call waits for the client's `tool_response` with its id, until the turn or the input
 * ends.
 */
export class HostTools {
  readonly #tools = new Map<string, AnyTool>();
  /** Announced calls: an answer may arrive before the call waits for it. */
  readonly #calls = new Map<string, HostCall>();
  #isInputEnded = false;

  get list(): readonly AnyTool[] {
    return [...this.#tools.values()];
  }

  declare(definitions: readonly HostToolDefinition[]): void {
    for (const definition of definitions) this.#tools.set(definition.name, this.#toTool(definition));
  }

  /** Must be called before the client reads of the call: the answer may be fast. */
  announce(callId: string, name: string): void {
    if (this.#tools.has(name) && !this.#calls.has(callId)) this.#open(callId);
  }

  /** Throws `invalid_message` when no call waits for this answer. */
  answer(callId: string, result: ToolResult): void {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isAnswered) {
      throw new AgentError('invalid_message', `tool_call_id: no call "${callId}" is waiting for an answer`);
    }
    settle(call, result);
  }

  forget(): void {
    this.#calls.clear();
  }

  endInput(): void {
    this.#isInputEnded = true;
    for (const call of this.#calls.values()) settle(call, INPUT_CLOSED);
  }

  #open(callId: string): HostCall {
    const call = { result: Promise.withResolvers<ToolResult>(), isAnswered: false };
    this.#calls.set(callId, call);
    if (this.#isInputEnded) settle(call, INPUT_CLOSED);
    return call;
  }

  #toTool({ name, description, inputSchema }: HostToolDefinition): AnyTool {
    return {
      name,
      aliases: [],
      description,
      inputSchema,
      // The client may refuse to run it, so no one is asked in addition.
      kind: 'read',
      parse: (input) => input,
      paths: () => [],
      execute: (_input, { callId, signal }) => this.#wait(callId, signal),
    };
  }

  async #wait(callId: string, signal: AbortSignal): Promise<ToolResult> {
    const call = this.#calls.get(callId) ?? this.#open(callId);
    const onAbort = (): void => settle(call, WITHDRAWN);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await call.result.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.#calls.delete(callId);
    }
  }
}

function settle(call: HostCall, result: ToolResult): void {
  call.isAnswered = true;
  call.result.resolve(result);
}

/** Without a schema, accepts any arguments. */
export function toHostTool(definition: {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined;
}): HostToolDefinition {
  const { name, description, parameters } = definition;
  return { name, description: description ?? '', inputSchema: parameters ?? ANY_INPUT };
}
