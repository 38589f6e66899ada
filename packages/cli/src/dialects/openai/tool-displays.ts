import type { AgentEvent } from '@qwen/agent';
import { toPlainText } from '@qwen/host/styled-output/output-for.js';
import { StyledReader } from '@qwen/host/styled-output/styled-text.js';
import type { ToolDisplayAnnotation, ToolStatus } from '@qwen/protocol/openai';
import { toConfirmation } from './confirmation.js';
import { type LineOrigin, promptIdOf } from './line-parts.js';
import { toLiveDisplay, toResultDisplay } from './result-display.js';
import { TaskProgress } from './task-progress.js';

type ToolEvent = Extract<AgentEvent, { readonly type: `tool_${string}` }>;

interface OpenCall {
  readonly name: string;
  readonly input: unknown;
  readonly task: TaskProgress;
  readonly output: StyledReader;
}

const NOTHING: readonly ToolDisplayAnnotation[] = [];

/** The display states of a session's tool calls. */
export class ToolDisplays {
  readonly #cwd: string;
  readonly #calls = new Map<string, OpenCall>();

  /** Files inside `cwd` have relative paths. */
  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The state of the call, then that of the parent call for events of a subagent. */
  take(event: AgentEvent, origin: LineOrigin): readonly ToolDisplayAnnotation[] {
    if (!isToolEvent(event)) return NOTHING;
    const place: DisplayContext = { origin, parentToolUseId: event.parentToolUseId };
    switch (event.type) {
      case 'tool_pending':
        this.#open(event);
        return this.#emit({ ...display(event, 'pending', place), pending: true }, place);
      case 'tool_asking':
        return this.#emit({ ...display(event, 'confirming', place), confirmation: toConfirmation(event) }, place);
      case 'tool_start': {
        const started = { ...display(event, 'executing', place), ...this.#missingArguments(event) };
        // A permission response may have changed the input.
        this.#open(event);
        return this.#emit(started, place);
      }
      case 'tool_delta':
        return this.#print(event, place);
      case 'tool_end': {
        const { outcome } = event;
        this.#calls.delete(outcome.callId);
        const ending = {
          ...display(outcome, outcome.status, place),
          result_display: toResultDisplay(outcome, this.#cwd),
        };
        const isReportedHere = origin.format === 'chunk' || place.parentToolUseId !== null;
        return this.#emit(isReportedHere ? { ...ending, content: toPlainText(outcome.content) } : ending, place);
      }
    }
  }

  clear(): void {
    this.#calls.clear();
  }

  #open({ callId, name, input }: Extract<ToolEvent, { type: 'tool_pending' | 'tool_start' }>): void {
    this.#calls.set(callId, { name, input, task: new TaskProgress(name, input), output: new StyledReader() });
  }

  /** A host that runs the call needs its final arguments. */
  #missingArguments({
    callId,
    input,
    parentToolUseId,
  }: Extract<ToolEvent, { type: 'tool_start' }>): Pick<ToolDisplayAnnotation, 'arguments'> {
    const pending = this.#calls.get(callId);
    const isReported = parentToolUseId === null && (pending === undefined || pending.input === input);
    return isReported ? {} : { arguments: JSON.stringify(input) };
  }

  #print(
    { callId, text }: Extract<ToolEvent, { type: 'tool_delta' }>,
    place: DisplayContext,
  ): readonly ToolDisplayAnnotation[] {
    const call = this.#calls.get(callId);
    const printed = (call?.output ?? new StyledReader()).take(text);
    if (printed.text === '' && printed.ansi.length === 0) return NOTHING;
    const shown = display({ callId, ...(call !== undefined && { name: call.name }) }, 'executing', place);
    return [{ ...shown, result_display: toLiveDisplay(printed) }];
  }

  #emit(state: CallDisplay, { origin, parentToolUseId }: DisplayContext): readonly ToolDisplayAnnotation[] {
    const parent = parentToolUseId === null ? undefined : this.#calls.get(parentToolUseId);
    if (parent === undefined || parentToolUseId === null) return [state];
    const { tool_call_id: callId, tool_name: name = '', status, confirmation } = state;
    parent.task.note({ callId, name, status, confirmation });
    const task = display({ callId: parentToolUseId, name: parent.name }, 'executing', {
      origin,
      parentToolUseId: null,
    });
    return [state, { ...task, result_display: parent.task.display }];
  }
}

interface DisplayContext {
  readonly origin: LineOrigin;
  readonly parentToolUseId: string | null;
}

type CallDisplay = ToolDisplayAnnotation & { readonly status: ToolStatus };

function display(
  { callId, name }: { readonly callId: string; readonly name?: string },
  status: ToolStatus,
  { origin, parentToolUseId }: DisplayContext,
): CallDisplay {
  return {
    type: 'x-qwen-tool-display',
    tool_call_id: callId,
    session_id: origin.sessionId,
    ...promptIdOf(origin),
    ...(name !== undefined && { tool_name: name }),
    status,
    confirmation: null,
    pending: false,
    timestamp: origin.clock.milliseconds(),
    ...(parentToolUseId !== null && { parent_tool_call_id: parentToolUseId }),
  };
}

function isToolEvent(event: AgentEvent): event is ToolEvent {
  return event.type.startsWith('tool_');
}
