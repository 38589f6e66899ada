import type { ContentBlock as AcpBlock, PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, TodoItem, ToolOutcome } from '@qwen/agent';
import { PastEntries, type PastEntry } from '@qwen/host/sessions/past-entries.js';
import type { ContentBlock, ToolResultOf } from '@qwen/protocol';
import { describeCall, isBuiltin, outcomeUpdate, storedChanges, textContent } from './tool-calls.js';

const OUTPUT_PERIOD_MS = 100;
/** Only the end of a running call's output is sent: each update replaces the one before. */
const MAX_OUTPUT_LENGTH = 16 * 1024;

interface OpenCall {
  output: string;
  sentAtMs: number;
  isHidden: boolean;
  /** Shown as a terminal; `output` is what it lacks. */
  isTerminal: boolean;
  hasStarted: boolean;
}

interface UpdateOptions {
  readonly cwd: string;
  readonly nowMs: () => number;
  /** Whether the client shows output as a terminal (`terminal_output` in its `_meta`, as in Zed). */
  readonly showsTerminals: boolean;
}

/** Turns the events of one session into updates. Todo lists become plans. */
export class SessionUpdates {
  readonly #options: UpdateOptions;
  readonly #calls = new Map<string, OpenCall>();

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  of(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case 'block_delta':
        return event.parentToolUseId === null ? chunk(event.kind, event.text, event.messageId) : [];
      case 'tool_pending':
        return this.#announce(event);
      case 'tool_start':
        return this.#begin(event);
      case 'tool_delta':
        return this.#output(event.callId, event.text);
      case 'tool_end':
        return this.#end(event);
      case 'turn_end':
        this.#calls.clear();
        return [];
      default:
        return [];
    }
  }

  #announce(event: Extract<AgentEvent, { readonly type: 'tool_pending' }>): SessionUpdate[] {
    const { callId, parentToolUseId } = event;
    const { cwd, showsTerminals } = this.#options;
    const isHidden = isBuiltin(event.name, 'todo_write');
    const shown = describeCall(event, cwd);
    const isTerminal = showsTerminals && isBuiltin(event.name, 'run_shell_command');
    const sentAtMs = Number.NEGATIVE_INFINITY;
    this.#calls.set(callId, { output: '', sentAtMs, isHidden, isTerminal, hasStarted: false });
    if (isHidden) return [];
    const parent = parentToolUseId !== null && { _meta: { parentToolCallId: parentToolUseId } };
    return [{ sessionUpdate: 'tool_call', toolCallId: callId, status: 'pending', ...shown, ...parent }];
  }

  #begin({ callId, input }: Extract<AgentEvent, { readonly type: 'tool_start' }>): SessionUpdate[] {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isHidden) return [];
    call.hasStarted = true;
    const terminal = call.isTerminal && {
      content: [{ type: 'terminal' as const, terminalId: callId }],
      _meta: { terminal_info: { terminal_id: callId, cwd: this.#options.cwd } },
    };
    return [
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: callId,
        status: 'in_progress',
        rawInput: input,
        ...terminal,
      },
    ];
  }

  #output(callId: string, text: string): SessionUpdate[] {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isHidden) return [];
    call.output = call.isTerminal ? call.output + text : (call.output + text).slice(-MAX_OUTPUT_LENGTH);
    const nowMs = this.#options.nowMs();
    if (nowMs - call.sentAtMs < OUTPUT_PERIOD_MS) return [];
    call.sentAtMs = nowMs;
    if (call.isTerminal) {
      const _meta = terminalOutput(callId, call.output);
      call.output = '';
      return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, _meta }];
    }
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, content: [textContent(call.output)] }];
  }

  #end({ outcome, parentToolUseId }: Extract<AgentEvent, { readonly type: 'tool_end' }>): SessionUpdate[] {
    const call = this.#calls.get(outcome.callId);
    this.#calls.delete(outcome.callId);
    const { callId, display, isError } = outcome;
    if (display?.kind === 'todos' && parentToolUseId === null && !isError) return [toPlan(display.todos)];
    if (call === undefined || call.isHidden) return [];
    const whole = outcomeUpdate(outcome, this.#options.cwd);
    // A denied command has no terminal.
    if (!call.isTerminal || !call.hasStarted) return [{ sessionUpdate: 'tool_call_update', ...whole }];
    const { content: _shown, ...update } = whole;
    const _meta = { ...terminalOutput(callId, call.output), ...terminalExit(outcome) };
    return [{ sessionUpdate: 'tool_call_update', ...update, _meta }];
  }
}

function terminalOutput(callId: string, data: string) {
  return data === '' ? {} : { terminal_output: { terminal_id: callId, data } };
}

function terminalExit({ callId, structured }: ToolOutcome) {
  const { exitCode = null, signal = null } = (structured ?? {}) as Partial<ToolResultOf<'run_shell_command'>>;
  return { terminal_exit: { terminal_id: callId, exit_code: exitCode, signal } };
}

function chunk(kind: string, text: string, messageId: string): SessionUpdate[] {
  if (text === '') return [];
  if (kind === 'text') return [{ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } }];
  if (kind !== 'thinking') return [];
  return [{ sessionUpdate: 'agent_thought_chunk', messageId, content: { type: 'text', text } }];
}

export function answerChunk(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', messageId: crypto.randomUUID(), content: { type: 'text', text } };
}

export function thoughtChunk(text: string): SessionUpdate {
  return { sessionUpdate: 'agent_thought_chunk', messageId: crypto.randomUUID(), content: { type: 'text', text } };
}

function toPlan(todos: readonly TodoItem[]): SessionUpdate {
  const entries = todos.map(({ content, status }): PlanEntry => ({ content, status, priority: 'medium' }));
  return { sessionUpdate: 'plan', entries };
}

/** Collects the records of a stored session; `updates` replays all of them. */
export class StoredConversation extends PastEntries {
  readonly #cwd: string;

  constructor(cwd: string) {
    super(Number.POSITIVE_INFINITY);
    this.#cwd = cwd;
  }

  get updates(): readonly SessionUpdate[] {
    return this.entries.flatMap((entry) => replay(entry, this.#cwd));
  }
}

function replay(entry: PastEntry, cwd: string): SessionUpdate[] {
  switch (entry.kind) {
    case 'prompt': {
      const messageId = crypto.randomUUID();
      const text: AcpBlock[] = entry.text === '' ? [] : [{ type: 'text', text: entry.text }];
      return [...text, ...entry.images.flatMap(toAcpImage)].map((content) => ({
        sessionUpdate: 'user_message_chunk',
        messageId,
        content,
      }));
    }
    case 'answer':
    case 'aside':
    case 'broken_off':
      return [answerChunk(entry.text)];
    case 'thought':
      return [thoughtChunk(entry.text)];
    case 'call': {
      const { outcome, input } = entry;
      if (outcome.display?.kind === 'todos') return [toPlan(outcome.display.todos)];
      const { toolCallId, status, content } = outcomeUpdate(outcome, cwd);
      const changes = outcome.isError ? [] : storedChanges(outcome.name, input, cwd);
      return [
        {
          sessionUpdate: 'tool_call',
          toolCallId,
          ...describeCall({ name: outcome.name, input }, cwd),
          ...(status && { status }),
          content: changes.length > 0 ? changes : (content ?? []),
        },
      ];
    }
  }
}

function toAcpImage(block: ContentBlock): AcpBlock[] {
  if (block.type !== 'image' || block.source.type !== 'base64') return [];
  return [{ type: 'image', data: block.source.data, mimeType: block.source.media_type }];
}
