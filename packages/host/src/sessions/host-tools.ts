import type { AnyTool, ToolResult } from '@qwen/agent';
import { AgentError, createDeferred, type Deferred } from '@qwen/protocol';

/** A function that the host runs by itself (GAP-05). */
export interface HostToolDefinition {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const ANY_INPUT = { type: 'object' } as const;

interface HostCall {
  readonly result: Deferred<ToolResult>;
  isAnswered: boolean;
}

const INPUT_CLOSED: ToolResult = { content: 'Input closed', isError: true };
const WITHDRAWN: ToolResult = { content: 'The call was withdrawn before the host answered.', isError: true };

/**
 * The tools of a session that its host runs: a call of one waits for the host's `tool_response`, which is found by the id of
 * the call. Nothing but the end of the turn or of the input ends the wait.
 */
export class HostTools {
  readonly #tools = new Map<string, AnyTool>();
  /** Calls that the host was told of, until they are over: the answer may come before the call waits for it. */
  readonly #calls = new Map<string, HostCall>();
  #isInputEnded = false;

  get list(): readonly AnyTool[] {
    return [...this.#tools.values()];
  }

  /** Offers these from now on, in the place of those with the same names. */
  declare(definitions: readonly HostToolDefinition[]): void {
    for (const definition of definitions) this.#tools.set(definition.name, this.#toTool(definition));
  }

  /** The host is about to read of this call. Must come before the line does, for the answer may be quick. */
  announce(callId: string, name: string): void {
    if (this.#tools.has(name) && !this.#calls.has(callId)) this.#open(callId);
  }

  /** Takes the answer of the host. Throws `invalid_message` for a call that waits for none. */
  answer(callId: string, result: ToolResult): void {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isAnswered) {
      throw new AgentError('invalid_message', `tool_call_id: no call "${callId}" waits for an answer`);
    }
    settle(call, result);
  }

  /** The turn is over: its calls wait for nothing any more. */
  forget(): void {
    this.#calls.clear();
  }

  /** No answer can come any more. */
  endInput(): void {
    this.#isInputEnded = true;
    for (const call of this.#calls.values()) settle(call, INPUT_CLOSED);
  }

  #open(callId: string): HostCall {
    const call = { result: createDeferred<ToolResult>(), isAnswered: false };
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
      // The host runs it and may refuse: nobody has to be asked on top.
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

/** The definition of a function that takes whatever the model says when no schema says otherwise. */
export function toHostTool(definition: {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | null | undefined;
}): HostToolDefinition {
  const { name, description, parameters } = definition;
  return { name, description: description ?? '', inputSchema: parameters ?? ANY_INPUT };
}
