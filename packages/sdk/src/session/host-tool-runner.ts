import { AgentError } from '@qwen/protocol';
import type { LineToolCall, ToolDisplayAnnotation } from '@qwen/protocol/openai';
import * as z from 'zod/mini';
import type { QwenEvent } from '../terminal/events.js';
import { type TurnPlace, toToolResponse } from './chat-requests.js';
import type { HostTool } from './host-tool.js';

const inputSchema = z.record(z.string(), z.unknown());

export interface HostToolRunnerParts {
  readonly tools: readonly HostTool[];
  /** Sends a line. Must not throw. */
  readonly send: (line: object) => void;
  /** Hears what tools of the app threw. Must not throw. */
  readonly onProblem: (error: AgentError) => void;
}

interface Call {
  readonly tool: HostTool;
  readonly place: TurnPlace;
  /** JSON text. */
  readonly input: string;
  readonly controller: AbortController;
  isRunning: boolean;
}

/**
 * Runs tools of the app when the CLI lets a call of them run, and answers with what comes of it. Rules and people have
 * had their say by then: a call that was denied never gets here.
 */
export class HostToolRunner {
  readonly #parts: HostToolRunnerParts;
  readonly #tools: ReadonlyMap<string, HostTool>;
  readonly #calls = new Map<string, Call>();

  constructor(parts: HostToolRunnerParts) {
    this.#parts = parts;
    this.#tools = new Map(parts.tools.map((tool) => [tool.name, tool]));
  }

  /** Looks at an event: messages bring calls, their states say when they run and when nobody waits any more. */
  take(event: QwenEvent): void {
    const { sessionId, promptId } = event;
    if (this.#tools.size === 0 || sessionId === undefined || promptId === undefined) return;
    if (event.kind === 'message') {
      for (const { id, function: called } of event.toolCalls) this.#remember(id, called, { sessionId, promptId });
    }
    if (event.kind === 'tool') this.#follow(event.display, { sessionId, promptId });
  }

  /** Nobody waits for any result. */
  abortAll(reason: AgentError): void {
    for (const { controller } of this.#calls.values()) controller.abort(reason);
    this.#calls.clear();
  }

  #remember(callId: string, { name, arguments: input }: LineToolCall['function'], place: TurnPlace): void {
    const tool = this.#tools.get(name);
    if (tool === undefined) return;
    this.#calls.set(keyOf(place, callId), { tool, place, input, controller: new AbortController(), isRunning: false });
  }

  #follow(display: ToolDisplayAnnotation, place: TurnPlace): void {
    const { tool_call_id: callId, status, tool_name: name, arguments: input } = display;
    const key = keyOf(place, callId);
    // What it runs with counts, where that is not what the message said.
    if (name !== undefined && input != null) this.#remember(callId, { name, arguments: input }, place);
    const call = this.#calls.get(key);
    if (call === undefined) return;
    if (status === 'executing' && !call.isRunning) {
      call.isRunning = true;
      void this.#answer(callId, call);
    } else if (['success', 'error', 'canceled'].includes(status)) {
      this.#calls.delete(key);
      call.controller.abort(new AgentError('cancelled', `The call ${callId} has ended.`));
    }
  }

  async #answer(callId: string, call: Call): Promise<void> {
    const { tool, place, controller } = call;
    const response = await this.#run(callId, call);
    if (!controller.signal.aborted) {
      this.#parts.send(toToolResponse(place, { callId, name: tool.name, response }));
    }
  }

  /** Never rejects: what went wrong is for the model to read. */
  async #run(callId: string, { tool, place, input, controller }: Call): Promise<unknown> {
    try {
      const parsed = inputSchema.safeParse(JSON.parse(input === '' ? '{}' : input));
      if (!parsed.success) throw new AgentError('invalid_tool_input', 'The input of the tool is not an object.');
      const result: unknown = await tool.run(parsed.data, { callId, ...place, signal: controller.signal });
      // What JSON cannot say throws here, where the model can still be told.
      return JSON.stringify(result) === undefined ? '' : result;
    } catch (thrown) {
      const error = AgentError.from(thrown, 'tool_failed');
      this.#parts.onProblem(error);
      return { error: error.message };
    }
  }
}

function keyOf({ sessionId }: TurnPlace, callId: string): string {
  return JSON.stringify([sessionId, callId]);
}
