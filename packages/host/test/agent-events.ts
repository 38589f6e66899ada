import type { AgentEvent, AssistantBlock, StopReason, ToolOutcome, TurnOutcome } from '@qwen/agent';
import { NO_USAGE, type Usage } from '@qwen/protocol';

// Lists of events as the engine emits them.

export const SESSION = 'session-123';
export const PROMPT = 'session-123########7';
export const USAGE: Usage = { ...NO_USAGE, input_tokens: 1200, output_tokens: 80, total_tokens: 1280 };

type TurnEnd = Extract<AgentEvent, { type: 'turn_end' }>;

export function turn(outcome: TurnOutcome, ...events: readonly AgentEvent[]): readonly AgentEvent[] {
  return [{ type: 'turn_start', turnId: 'turn-1' }, ...events, turnEnd(outcome)];
}

export function turnEnd(outcome: TurnOutcome, more: Partial<TurnEnd> = {}): TurnEnd {
  return {
    type: 'turn_end',
    turnId: 'turn-1',
    outcome,
    durationMs: 20.4,
    durationApiMs: 10.5,
    modelCalls: 2,
    usage: USAGE,
    permissionDenials: [],
    ...more,
  };
}

export const SUCCESS: TurnOutcome = { type: 'success', text: 'Done.' };

/** A block of an answer: its pieces, and for a call its id and name. */
export type Block =
  | { readonly kind: 'text' | 'thinking'; readonly pieces: readonly string[] }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly pieces: readonly string[] };

export interface AnswerOptions {
  readonly stopReason?: StopReason;
  readonly parent?: string | null;
  readonly model?: string;
}

/** An answer of the model. */
export function answer(blocks: readonly Block[], options: AnswerOptions = {}): readonly AgentEvent[] {
  const { parent = null, model = 'qwen-coder' } = options;
  const hasCalls = blocks.some(({ kind }) => kind === 'call');
  const { stopReason = hasCalls ? 'tool_use' : 'end_turn' } = options;
  const origin = { messageId: 'm', parentToolUseId: parent };
  const content = blocks.map(toBlock);
  return [
    { type: 'message_start', model, ...origin },
    ...blocks.flatMap((block, index): AgentEvent[] => [
      { type: 'block_start', index, block: toBlock({ ...block, pieces: [] }), ...origin },
      ...block.pieces.map((text): AgentEvent => {
        const kind = block.kind === 'call' ? 'input_json' : block.kind;
        return { type: 'block_delta', index, kind, text, ...origin };
      }),
      { type: 'block_end', index, block: toBlock(block), ...origin },
    ]),
    { type: 'message_end', model, content, stopReason, usage: USAGE, ...origin },
  ];
}

function toBlock(block: Block): AssistantBlock {
  const text = block.pieces.join('');
  switch (block.kind) {
    case 'text':
      return { type: 'text', text };
    case 'thinking':
      return { type: 'thinking', thinking: text };
    case 'call':
      return { type: 'tool_use', id: block.id, name: block.name, input: readInput(text) };
  }
}

/** As the engine has it: the value, or the text that did not arrive whole. */
function readInput(text: string): unknown {
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const text = (...pieces: readonly string[]): Block => ({ kind: 'text', pieces });
export const thinking = (...pieces: readonly string[]): Block => ({ kind: 'thinking', pieces });
export const call = (id: string, name: string, ...pieces: readonly string[]): Block => ({
  kind: 'call',
  id,
  name,
  pieces,
});

export const pending = (
  callId: string,
  name: string,
  input: unknown = {},
  parent: string | null = null,
): AgentEvent => ({
  type: 'tool_pending',
  callId,
  name,
  input,
  kind: 'other',
  parentToolUseId: parent,
});

export const started = (
  callId: string,
  name: string,
  input: unknown = {},
  parent: string | null = null,
): AgentEvent => ({
  type: 'tool_start',
  callId,
  name,
  input,
  parentToolUseId: parent,
});

export const printed = (callId: string, output: string): AgentEvent => ({
  type: 'tool_delta',
  callId,
  text: output,
  parentToolUseId: null,
});

export function ended(
  callId: string,
  name: string,
  outcome: Partial<ToolOutcome> & { readonly parent?: string } = {},
): AgentEvent {
  const { parent = null, status = 'success', content = 'done', ...more } = outcome;
  const isError = status !== 'success';
  return {
    type: 'tool_end',
    outcome: { callId, name, uuid: 'u', content, isError, status, ...more },
    parentToolUseId: parent,
  };
}

export const notice = (message: string, code = 'n', data?: Readonly<Record<string, unknown>>): AgentEvent => ({
  type: 'notice',
  code,
  message,
  ...(data !== undefined && { data }),
  parentToolUseId: null,
});
