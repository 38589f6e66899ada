import type { ModelPart } from '@qwen/models';
import { AgentError } from '@qwen/protocol';
import type { AgentEvent, AssistantBlock } from '../events.js';
import { toWellFormed, WholeCharacters } from './whole-characters.js';

/** With `error`, its arguments were incomplete and it must not run. */
export interface RequestedCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly error?: AgentError;
}

export interface AnswerOrigin {
  readonly messageId: string;
  readonly parentToolUseId: string | null;
}

interface OpenCall {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly characters: WholeCharacters;
  json: string;
}

interface OpenProse {
  readonly index: number;
  readonly kind: 'text' | 'thinking';
  readonly characters: WholeCharacters;
  text: string;
  signature: string;
}

type ContentPart = Extract<
  ModelPart,
  { readonly type: `text_${string}` | `thinking_${string}` | `tool_call_${string}` }
>;
type CallEnd = Extract<ModelPart, { readonly type: 'tool_call_end' }>;

/** Providers refuse an empty name. */
const UNNAMED_TOOL = 'unnamed_tool';

/**
 * Builds an answer from parts and emits the events. Deltas of a tool call add up to its JSON, or to the raw text if
 * that was incomplete.
 */
export class AnswerBuilder {
  readonly #origin: AnswerOrigin;
  readonly #claimCallId: (wanted: string) => string;
  readonly #blocks: AssistantBlock[] = [];
  readonly #calls = new Map<number, RequestedCall>();
  readonly #openCalls = new Map<string, OpenCall>();
  #openProse: OpenProse | undefined;

  constructor(origin: AnswerOrigin, claimCallId: (wanted: string) => string) {
    this.#origin = origin;
    this.#claimCallId = claimCallId;
  }

  get content(): readonly AssistantBlock[] {
    return this.#blocks;
  }

  get calls(): readonly RequestedCall[] {
    return [...this.#calls].toSorted(([left], [right]) => left - right).map(([, call]) => call);
  }

  get text(): string {
    return this.#blocks.map((block) => (block.type === 'text' ? block.text : '')).join('');
  }

  *add(part: ContentPart): Generator<AgentEvent> {
    switch (part.type) {
      case 'text_delta':
        yield* this.#addProse('text', part.text);
        break;
      case 'thinking_delta':
        yield* this.#addProse('thinking', part.text);
        break;
      case 'thinking_signature':
        yield* this.#addSignature(part.signature);
        break;
      case 'tool_call_start':
        yield* this.#startCall(part.id, part.name);
        break;
      case 'tool_call_delta': {
        const call = this.#openCalls.get(part.id);
        if (call !== undefined) yield* this.#addJson(call, call.characters.take(part.json));
        break;
      }
      case 'tool_call_end':
        yield* this.#endCall(part);
        break;
    }
  }

  /** Closes open blocks. Incomplete calls stay, with an error. */
  *end(): Generator<AgentEvent> {
    yield* this.#endProse();
    for (const call of this.#openCalls.values()) {
      yield* this.#addJson(call, call.characters.end());
      const { index, id, name, json } = call;
      this.#calls.set(index, { id, name, input: json, error: incompleteArguments(name) });
      yield this.#endBlock(index, { type: 'tool_use', id, name, input: json });
    }
    this.#openCalls.clear();
  }

  *#addProse(kind: 'text' | 'thinking', text: string): Generator<AgentEvent> {
    if (text === '') return;
    const prose = yield* this.#openBlock(kind);
    yield* this.#appendText(prose, prose.characters.take(text));
  }

  *#appendText(prose: OpenProse, pieces: string): Generator<AgentEvent> {
    if (pieces === '') return;
    const text = toWellFormed(pieces);
    prose.text += text;
    yield this.#delta(prose.index, prose.kind, text);
  }

  *#addSignature(signature: string): Generator<AgentEvent> {
    const prose = yield* this.#openBlock('thinking');
    prose.signature += signature;
    yield this.#delta(prose.index, 'signature', signature);
  }

  *#openBlock(kind: 'text' | 'thinking'): Generator<AgentEvent, OpenProse> {
    if (this.#openProse?.kind === kind) return this.#openProse;
    yield* this.#endProse();
    const block: AssistantBlock = kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
    const prose: OpenProse = {
      index: this.#blocks.push(block) - 1,
      kind,
      characters: new WholeCharacters(),
      text: '',
      signature: '',
    };
    this.#openProse = prose;
    yield this.#startBlock(prose.index, block);
    return prose;
  }

  *#endProse(): Generator<AgentEvent> {
    if (this.#openProse === undefined) return;
    yield* this.#appendText(this.#openProse, this.#openProse.characters.end());
    const { index, kind, text, signature } = this.#openProse;
    this.#openProse = undefined;
    const proof = signature === '' ? {} : { signature };
    yield this.#endBlock(
      index,
      kind === 'text' ? { type: 'text', text } : { type: 'thinking', thinking: text, ...proof },
    );
  }

  *#startCall(wantedId: string, wantedName: string): Generator<AgentEvent, OpenCall> {
    yield* this.#endProse();
    const id = this.#claimCallId(wantedId);
    const name = wantedName === '' ? UNNAMED_TOOL : wantedName;
    const block: AssistantBlock = { type: 'tool_use', id, name, input: {} };
    const index = this.#blocks.push(block) - 1;
    const call: OpenCall = { index, id, name, characters: new WholeCharacters(), json: '' };
    // Another call with an id that is still open; `end` reports the first as incomplete.
    const before = this.#openCalls.get(wantedId);
    if (before !== undefined) this.#openCalls.set(before.id, before);
    this.#openCalls.set(wantedId, call);
    yield this.#startBlock(index, block);
    return call;
  }

  *#endCall(part: CallEnd): Generator<AgentEvent> {
    const call = this.#openCalls.get(part.id) ?? (yield* this.#startCall(part.id, part.name));
    this.#openCalls.delete(part.id);
    yield* this.#addJson(call, call.characters.end());
    if (call.json === '' && part.input !== undefined) yield* this.#addJson(call, JSON.stringify(part.input));
    const input = part.input ?? call.json;
    const { index, id, name } = call;
    const error = part.error ?? (part.input === undefined ? incompleteArguments(name) : undefined);
    this.#calls.set(index, { id, name, input, ...(error !== undefined && { error }) });
    const signature = part.signature === undefined ? {} : { signature: part.signature };
    yield this.#endBlock(index, { type: 'tool_use', id, name, input, ...signature });
  }

  *#addJson(call: OpenCall, json: string): Generator<AgentEvent> {
    if (json === '') return;
    call.json += json;
    yield this.#delta(call.index, 'input_json', json);
  }

  #startBlock(index: number, block: AssistantBlock): AgentEvent {
    return { type: 'block_start', ...this.#origin, index, block };
  }

  #delta(index: number, kind: 'text' | 'thinking' | 'signature' | 'input_json', text: string): AgentEvent {
    return { type: 'block_delta', ...this.#origin, index, kind, text };
  }

  #endBlock(index: number, block: AssistantBlock): AgentEvent {
    this.#blocks[index] = block;
    return { type: 'block_end', ...this.#origin, index, block };
  }
}

function incompleteArguments(name: string): AgentError {
  return new AgentError('invalid_tool_input', `The arguments of ${name} are incomplete.`);
}
