import { isJsonObject } from '@qwen/protocol';
import type { Confirmation, ResultDisplay, ToolStatus } from '@qwen/protocol/openai';

interface TaskCall {
  readonly callId: string;
  readonly name: string;
  readonly status: ToolStatus;
  readonly confirmation?: Confirmation | null | undefined;
}

/** The state of a subagent call, from the call and the subagent's events. */
export class TaskProgress {
  readonly #name: string;
  readonly #input: unknown;
  readonly #calls = new Map<string, TaskCall>();

  constructor(name: string, input: unknown) {
    this.#name = name;
    this.#input = input;
  }

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
