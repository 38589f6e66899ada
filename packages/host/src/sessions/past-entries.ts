import type { ToolDisplay, ToolOutcome } from '@qwen/agent';
import type { RecordSink } from '@qwen/agent/node';

import { type ContentBlock, FILES_HEADING, type SessionRecord } from '@qwen/protocol';
import { exitPlanInput, todoInput } from '@qwen/tools';

export type PastEntry =
  | { readonly kind: 'prompt'; readonly text: string; readonly images: readonly ContentBlock[] }
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'thought'; readonly text: string }
  | { readonly kind: 'call'; readonly input: unknown; readonly outcome: ToolOutcome }
  /** Outside the conversation. */
  | { readonly kind: 'aside'; readonly text: string }
  /** A turn that did not end normally. */
  | { readonly kind: 'broken_off'; readonly text: string };

type RecordOf<Type extends SessionRecord['type']> = Extract<SessionRecord, { readonly type: Type }>;

interface OpenCall {
  readonly name: string;
  readonly input: unknown;
}

const NO_RESULT = 'No result was recorded.';

const BROKEN_OFF: ReadonlyMap<string, string> = new Map([
  ['interrupted', 'This turn was interrupted.'],
  ['error', 'This turn failed.'],
  ['budget', 'This turn reached its budget.'],
  ['max_turns', 'This turn reached its limit of model calls.'],
]);

/**
 * Collects the last entries of a conversation from its records; memory does not depend on the session length. Skips
 * cleared records and subagent messages.
 */
export class PastEntries implements RecordSink {
  readonly #most: number;
  #entries: PastEntry[] = [];
  #missing = 0;
  readonly #calls = new Map<string, OpenCall>();
  readonly #messageIds = new WeakMap<PastEntry, string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** In order; an unanswered call is the last of its message. */
  get entries(): readonly PastEntry[] {
    this.#endCalls();
    return this.#entries;
  }

  get missing(): number {
    return this.#missing;
  }

  add(record: SessionRecord): void {
    if ('parent_tool_use_id' in record && record.parent_tool_use_id !== undefined) return;
    switch (record.type) {
      case 'user':
        this.#endCalls();
        this.#addPrompt(record);
        break;
      case 'assistant':
        this.#endCalls();
        for (const block of record.content) this.#addBlock(block);
        break;
      case 'tool_result':
        this.#endCall(record);
        break;
      case 'client_call':
        this.#keep({ kind: 'call', input: record.input, outcome: toOutcome(record, record.input) });
        break;
      case 'note':
        this.#keep({ kind: 'aside', text: record.text });
        break;
      case 'compaction':
        this.#keep({ kind: 'aside', text: 'The conversation was compacted here.' });
        break;
      case 'turn_end':
        this.#endTurn(record.outcome);
        break;
      case 'cleared':
        this.#restart();
        break;
      case 'restored':
        if (this.#rewind(record.rewound_to)) break;
        this.#restart();
        for (const one of record.records) this.add(one);
        break;
      case 'session':
      case 'permission_mode':
      case 'title':
        break;
    }
  }

  #addPrompt({ uuid, content }: RecordOf<'user'>): void {
    const entry = { kind: 'prompt', ...readPrompt(content) } as const;
    this.#messageIds.set(entry, uuid);
    this.#keep(entry);
  }

  /** False if the message is not among the last entries. */
  #rewind(messageId: string | undefined): boolean {
    const index = this.#entries.findIndex((entry) => this.#messageIds.get(entry) === messageId);
    if (messageId === undefined || index < 0) return false;
    this.#calls.clear();
    this.#entries.length = index;
    return true;
  }

  #addBlock(block: ContentBlock): void {
    if (block.type === 'text' && block.text.trim() !== '') this.#keep({ kind: 'answer', text: block.text });
    if (block.type === 'thinking' && block.thinking.trim() !== '')
      this.#keep({ kind: 'thought', text: block.thinking });
    if (block.type === 'tool_use') this.#calls.set(block.id, { name: block.name, input: block.input });
  }

  #endCall(record: RecordOf<'tool_result'>): void {
    const input = this.#calls.get(record.tool_use_id)?.input;
    this.#calls.delete(record.tool_use_id);
    this.#keep({ kind: 'call', input, outcome: toOutcome(record, input) });
  }

  #endCalls(): void {
    for (const [callId, { name, input }] of this.#calls) {
      const outcome = { callId, name, uuid: callId, content: NO_RESULT, isError: true, status: 'canceled' } as const;
      this.#keep({ kind: 'call', input, outcome });
    }
    this.#calls.clear();
  }

  #endTurn(outcome: string): void {
    this.#endCalls();
    const text = BROKEN_OFF.get(outcome);
    if (text !== undefined) this.#keep({ kind: 'broken_off', text });
  }

  #restart(): void {
    this.#entries = [];
    this.#missing = 0;
    this.#calls.clear();
  }

  #keep(entry: PastEntry): void {
    this.#entries.push(entry);
    if (this.#entries.length <= this.#most) return;
    this.#entries.shift();
    this.#missing += 1;
  }
}

function toOutcome(record: RecordOf<'tool_result' | 'client_call'>, input: unknown): ToolOutcome {
  const { tool_use_id: callId, tool_name: name, uuid, content, is_error: isError } = record;
  const outcome = { callId, name, uuid, content, isError };
  if (isError) return { ...outcome, status: 'error' };
  const display = pastDisplay(name, input);
  return { ...outcome, status: 'success', ...(display !== undefined && { display }) };
}

function readPrompt(content: string | readonly ContentBlock[]): Omit<Extract<PastEntry, { kind: 'prompt' }>, 'kind'> {
  if (typeof content === 'string') return { text: content, images: [] };
  // Referenced files follow the prompt: it names them, so their contents are not shown.
  const files = content.findIndex((block) => block.type === 'text' && block.text === FILES_HEADING);
  const own = files > 0 ? content.slice(0, files) : content;
  return {
    text: own.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n'),
    images: own.filter(({ type }) => type === 'image'),
  };
}

/**
 * Reconstructs the display of a successful stored call from its input; undefined otherwise. Session files store only
 * the text for the model.
 */
function pastDisplay(toolName: string, input: unknown): ToolDisplay | undefined {
  if (toolName === 'todo_write') {
    const parsed = todoInput.safeParse(input);
    return parsed.success ? { kind: 'todos', todos: parsed.data.todos } : undefined;
  }
  if (toolName !== 'exit_plan_mode') return undefined;
  const parsed = exitPlanInput.safeParse(input);
  return parsed.success ? { kind: 'plan', message: 'The plan was approved.', plan: parsed.data.plan } : undefined;
}
