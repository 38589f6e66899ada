import { AgentError } from '@qwen/protocol';
import type { LineToolCall, ToolDisplayAnnotation } from '@qwen/protocol/openai';
import * as z from 'zod/mini';
import type { QwenEvent } from '../terminal/events.js';
import { type TurnIds, toToolResponse } from './chat-requests.js';
import type { HostTool } from './host-tool.js';

const inputSchema = z.record(z.string(), z.unknown());

export interface HostToolRunnerParts {
  readonly tools: readonly HostTool[];
  /** Must not throw. */
  readonly send: (line: object) => void;
  /** Must not throw. */
  readonly onProblem: (error: AgentError) => void;
}

interface Call {
  readonly tool: HostTool;
  readonly ids: TurnIds;
  /** JSON text. */
  readonly input: string;
  readonly controller: AbortController;
  isRunning: boolean;
}

/** The CLI has checked permissions when it executes a call. */
export class HostToolRunner {
  readonly #parts: HostToolRunnerParts;
  readonly #tools: ReadonlyMap<string, HostTool>;
  readonly #calls = new Map<string, Call>();

  constructor(parts: HostToolRunnerParts) {
    this.#parts = parts;
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  }

  accept(event: QwenEvent): void {
    const { sessionId, promptId } = event;
    if (this.#tools.size === 0 || sessionId === undefined || promptId === undefined) return;
    if (event.kind === 'message') {
      for (const { id, function: called } of event.toolCalls) this.#remember(id, called, { sessionId, promptId });
    }
    if (event.kind === 'tool') this.#follow(event.display, { sessionId, promptId });
  }

  abortAll(reason: AgentError): void {
    for (const { controller } of this.#calls.values()) controller.abort(reason);
    this.#calls.clear();
  }

  #remember(callId: string, { name, arguments: input }: LineToolCall['function'], ids: TurnIds): void {
    const tool = this.#tools.get(name);
    const key = keyOf(ids, callId);
    if (tool === undefined || this.#calls.get(key)?.isRunning === true) return;
    this.#calls.set(key, { tool, ids, input, controller: new AbortController(), isRunning: false });
  }

  #follow(display: ToolDisplayAnnotation, ids: TurnIds): void {
    const { tool_call_id: callId, status, tool_name: name, arguments: input } = display;
    const key = keyOf(ids, callId);
    // Authoritative: it may differ from the message.
    if (name !== undefined && input != null) this.#remember(callId, { name, arguments: input }, ids);
    const call = this.#calls.get(key);
    if (call === undefined) return;
    if (status === 'executing' && !call.isRunning) {
      call.isRunning = true;
      void this.#answer(callId, call);
    } else if (['success', 'error', 'canceled'].includes(status)) {
      this.#calls.delete(key);
      call.controller.abort(new AgentError('cancelled', `Call ${callId} has ended.`));
    }
  }

  async #answer(callId: string, call: Call): Promise<void> {
    const { tool, ids, controller } = call;
    const response = await this.#run(callId, call);
    if (!controller.signal.aborted) {
      this.#parts.send(toToolResponse(ids, { callId, name: tool.name, response }));
    }
  }

  async #run(callId: string, { tool, ids, input, controller }: Call): Promise<unknown> {
    try {
      const parsed = inputSchema.safeParse(JSON.parse(input === '' ? '{}' : input));
      if (!parsed.success) throw new AgentError('invalid_tool_input', 'The tool input is not an object.');
      const result: unknown = await tool.run(parsed.data, { callId, ...ids, signal: controller.signal });
      // Throws for a value that is not JSON.
      return JSON.stringify(result) === undefined ? '' : result;
    } catch (thrown) {
      const error = AgentError.from(thrown, 'tool_failed');
      this.#parts.onProblem(error);
      return { error: error.message };
    }
  }
}

function keyOf({ sessionId }: TurnIds, callId: string): string {
  return JSON.stringify([sessionId, callId]);
}
