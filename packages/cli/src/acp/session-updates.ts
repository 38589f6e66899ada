import type { ContentBlock as AcpBlock, PlanEntry, SessionUpdate } from '@agentclientprotocol/sdk';
import type { AgentEvent, TodoItem } from '@qwen/agent';
import { PastEntries, type PastEntry } from '@qwen/host/sessions/past-entries.js';
import type { ContentBlock } from '@qwen/protocol';
import { describeCall, isTodoList, outcomeUpdate, storedChanges, textContent } from './tool-calls.js';

/** Output of a running call is sent at most this often. */
const OUTPUT_PERIOD_MS = 100;
/** Only the end of a running call's output is sent: each update replaces the one before. */
const MAX_OUTPUT_LENGTH = 16 * 1024;

interface OpenCall {
  output: string;
  sentAtMs: number;
  isHidden: boolean;
}

/** Turns the events of one session into updates. Todo lists become plans. */
export class SessionUpdates {
  readonly #cwd: string;
  readonly #nowMs: () => number;
  readonly #calls = new Map<string, OpenCall>();

  constructor(cwd: string, nowMs: () => number) {
    this.#cwd = cwd;
    this.#nowMs = nowMs;
  }

  of(event: AgentEvent): SessionUpdate[] {
    switch (event.type) {
      case 'block_delta':
        return event.parentToolUseId === null ? chunk(event.kind, event.text, event.messageId) : [];
      case 'tool_pending':
        return this.#announce(event);
      case 'tool_start':
        return this.#isShown(event.callId)
          ? [
              {
                sessionUpdate: 'tool_call_update',
                toolCallId: event.callId,
                status: 'in_progress',
                rawInput: event.input,
              },
            ]
          : [];
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
    const isHidden = isTodoList(event.name);
    this.#calls.set(callId, { output: '', sentAtMs: Number.NEGATIVE_INFINITY, isHidden });
    if (isHidden) return [];
    return [
      {
        sessionUpdate: 'tool_call',
        toolCallId: callId,
        status: 'pending',
        ...describeCall(event, this.#cwd),
        ...(parentToolUseId !== null && { _meta: { parentToolCallId: parentToolUseId } }),
      },
    ];
  }

  #isShown(callId: string): boolean {
    return this.#calls.get(callId)?.isHidden === false;
  }

  #output(callId: string, text: string): SessionUpdate[] {
    const call = this.#calls.get(callId);
    if (call === undefined || call.isHidden) return [];
    call.output = (call.output + text).slice(-MAX_OUTPUT_LENGTH);
    const nowMs = this.#nowMs();
    if (nowMs - call.sentAtMs < OUTPUT_PERIOD_MS) return [];
    call.sentAtMs = nowMs;
    return [{ sessionUpdate: 'tool_call_update', toolCallId: callId, content: [textContent(call.output)] }];
  }

  #end({ outcome, parentToolUseId }: Extract<AgentEvent, { readonly type: 'tool_end' }>): SessionUpdate[] {
    const isShown = this.#isShown(outcome.callId);
    this.#calls.delete(outcome.callId);
    const { display, isError } = outcome;
    if (display?.kind === 'todos' && parentToolUseId === null && !isError) return [toPlan(display.todos)];
    return isShown ? [{ sessionUpdate: 'tool_call_update', ...outcomeUpdate(outcome, this.#cwd) }] : [];
  }
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
      return [{ ...answerChunk(entry.text), sessionUpdate: 'agent_thought_chunk' } as SessionUpdate];
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
