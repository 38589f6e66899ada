import { isJsonObject } from '@qwen/protocol';
import type { Confirmation, ResultDisplay, ToolStatus } from '@qwen/protocol/openai';

/** A call of a subagent. */
interface TaskCall {
  readonly callId: string;
  readonly name: string;
  readonly status: ToolStatus;
  /** While it awaits approval. */
  readonly confirmation?: Confirmation | null | undefined;
}

/** What is known of a subagent that works for a call, from the call and from its own events (D-28, GAP-104). */
export class TaskProgress {
  readonly #name: string;
  readonly #input: unknown;
  readonly #calls = new Map<string, TaskCall>();

  /** The name and input of the call that it works for. */
  constructor(name: string, input: unknown) {
    this.#name = name;
    this.#input = input;
  }

  /** Takes the state of one of its calls. */
  note(call: TaskCall): void {
    this.#calls.set(call.callId, call);
  }

  get display(): ResultDisplay {
    const calls = [...this.#calls.values()];
    const question = calls.find(({ confirmation }) => confirmation != null)?.confirmation;
    const { subagent_type: agent, description, prompt } = isJsonObject(this.#input) ? this.#input : {};
    return {
      kind: 'task_execution',
      subagentName: typeof agent === 'string' ? agent : this.#name,
      ...(typeof description === 'string' && { taskDescription: description }),
      ...(typeof prompt === 'string' && { taskPrompt: prompt }),
      status: 'running',
      toolCalls: calls.map(({ callId, name, status }) => ({ callId, name, status })),
      ...(question != null && { pendingConfirmation: question }),
    };
  }
}
