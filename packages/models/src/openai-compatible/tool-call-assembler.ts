import { AgentError } from '@qwen/protocol';
import { CallIds, readToolInput, refuseToolInput, type ToolInput } from '../answer/tool-input.js';
import type { ModelPart } from '../parts.js';
import type { ToolCallPiece } from './chunk-schema.js';

interface OpenCall {
  readonly id: string;
  /** What the provider called it; an empty one until it says so. */
  readonly providerId: string;
  readonly index: number | undefined;
  name: string;
  json: string;
  started: boolean;
}

/**
 * Puts the pieces of tool calls together: interleaved by index, without index, without id, with the same index for
 * each of several whole calls. Calls end only with the answer, because a provider may add to any of them until then.
 */
export class ToolCallAssembler {
  readonly #ids = new CallIds();
  readonly #calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** Takes one piece and says what it adds. */
  add(piece: ToolCallPiece): readonly ModelPart[] {
    const call = this.#find(piece) ?? this.#open(piece);
    const json = textOf(piece.function?.arguments);
    call.json += json;
    if (call.started) return json === '' ? [] : [{ type: 'tool_call_delta', id: call.id, json }];
    call.name = piece.function?.name ?? '';
    return call.name === '' ? [] : this.#start(call);
  }

  /** Ends all calls in the order in which they began. `isCut`: the answer was cut at its token limit. */
  end(isCut: boolean): readonly ModelPart[] {
    return this.#calls.flatMap((call, position) => {
      const { id, name, json } = call;
      // Only the last call can be the one that was cut. It is refused even when it parses: some servers close the
      // braces of what they cut, and half of a file would be written (F75).
      const isCutHere = isCut && position === this.#calls.length - 1;
      const end: ModelPart = { type: 'tool_call_end', id, name, ...resultOf(name, json, isCutHere) };
      return call.started ? [end] : [...this.#start(call), end];
    });
  }

  #start(call: OpenCall): readonly ModelPart[] {
    const { id, name, json } = call;
    call.started = true;
    const start: ModelPart = { type: 'tool_call_start', id, name };
    return json === '' ? [start] : [start, { type: 'tool_call_delta', id, json }];
  }

  /** The open call that a piece belongs to; undefined when it begins a new one. */
  #find(piece: ToolCallPiece): OpenCall | undefined {
    const index = piece.index ?? undefined;
    const call =
      index === undefined ? this.#calls.at(-1) : this.#calls.findLast((candidate) => candidate.index === index);
    if (call === undefined || !piece.function?.name || !call.started) return call;
    // A name again means another call if the id differs, or if the call so far is whole; else it is a mere repetition.
    if (piece.id) return piece.id === call.providerId ? call : undefined;
    return call.json !== '' && 'input' in readToolInput(call.name, call.json) ? undefined : call;
  }

  #open(piece: ToolCallPiece): OpenCall {
    const providerId = piece.id ?? '';
    const index = piece.index ?? undefined;
    const call = { id: this.#ids.take(providerId), providerId, index, name: '', json: '', started: false };
    this.#calls.push(call);
    return call;
  }
}

function resultOf(name: string, json: string, isCut: boolean): ToolInput {
  if (name === '') return { error: new AgentError('unknown_tool', 'The call names no tool.') };
  return isCut ? refuseToolInput(name, 'were cut at the token limit') : readToolInput(name, json);
}

function textOf(value: string | Record<string, unknown> | null | undefined): string {
  return typeof value === 'string' ? value : value ? JSON.stringify(value) : '';
}
