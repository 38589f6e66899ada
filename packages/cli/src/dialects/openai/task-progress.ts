import { isJsonObject } from '@qwen/protocol';
import type { ResultDisplay, ToolStatus } from '@qwen/protocol/openai';

/** A call of a subagent. */
interface TaskCall {
  readonly callId: string;
  readonly name: string;
  readonly status: ToolStatus;
}

/** What is known of a subagent that works for a call, from the call and from its own events (D-28, GAP-104). */
export class TaskProgress {
  readonly #name: string;
  readonly #input: unknown;
  readonly #calls = new Map<string, { name: string; status: ToolStatus }>();

  /** The name and input of the call that it works for. */
  constructor(name: string, input: unknown) {
    this.#name = name;
    this.#input = input;
  }

  /** Takes the state of one of its calls. */
  note({ callId, name, status }: TaskCall): void {
    this.#calls.set(callId, { name, status });
  }

  get display(): ResultDisplay {
    const { subagent_type: agent, description, prompt } = isJsonObject(this.#input) ? this.#input : {};
    return {
      kind: 'task_execution',
      subagentName: typeof agent === 'string' ? agent : this.#name,
      ...(typeof description === 'string' && { taskDescription: description }),
      ...(typeof prompt === 'string' && { taskPrompt: prompt }),
      status: 'running',
      toolCalls: [...this.#calls].map(([callId, call]) => ({ callId, ...call })),
    };
  }
}
