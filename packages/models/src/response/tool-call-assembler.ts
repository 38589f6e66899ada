import { AgentError } from '@qwen/protocol';
import type { ModelPart } from '../parts.js';
import { CallIds, readToolInput, refuseToolInput, type ToolInput } from './tool-input.js';

export interface ToolCallPiece {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?:
    | {
        readonly name?: string | null | undefined;
        /** JSON text in pieces; some endpoints send the parsed object. */
        readonly arguments?: unknown;
      }
    | null
    | undefined;
  /** Goes back with the call, unchanged. */
  readonly signature?: string | undefined;
}

interface OpenCall {
  readonly id: string;
  /** Empty until the provider sends it. */
  readonly providerId: string;
  readonly index: number | undefined;
  name: string;
  json: string;
  started: boolean;
  signature: string | undefined;
  /** The last piece, if each one repeats those before it. */
  whole: string | undefined;
}

/**
 * Assembles pieces: interleaved by index, without index or id, or with one index for several calls. Calls end with
 * the response.
 */
export class ToolCallAssembler {
  readonly #ids = new CallIds();
  readonly #calls: OpenCall[] = [];

  get isEmpty(): boolean {
    return this.#calls.length === 0;
  }

  /** The pieces of one chunk. `isLast`: the chunk ends the answer, so it may repeat calls with new ids. */
  addAll(pieces: readonly ToolCallPiece[], isLast: boolean): readonly ModelPart[] {
    const known = isLast ? [...this.#calls] : [];
    const isRepeated = (piece: ToolCallPiece) =>
      known.some((call) => call.index === (piece.index ?? undefined) && isSame(call, toCall(piece)));
    return pieces.flatMap((piece) => (isRepeated(piece) ? [] : this.add(piece)));
  }

  add(piece: ToolCallPiece): readonly ModelPart[] {
    const found = this.#find(piece);
    if (found !== undefined && isSame(found, toCall(piece))) return [];
    const call = found ?? this.#open(piece);
    const json = textOf(piece.function?.arguments);
    call.whole = call.whole !== undefined && json.startsWith(call.whole) ? json : undefined;
    call.json += json;
    call.signature ??= piece.signature;
    if (call.started) return json === '' ? [] : [{ type: 'tool_call_delta', id: call.id, json }];
    call.name ||= piece.function?.name ?? '';
    return call.name === '' || this.#mayRepeat(call) ? [] : this.#start(call);
  }

  /** In the order of their start. `isCut`: the response was truncated. */
  end(isCut: boolean): readonly ModelPart[] {
    return this.#calls.flatMap((call, position) => {
      const isRepeated =
        !call.started && this.#mayRepeat(call) && this.#calls.slice(0, position).some((other) => isSame(other, call));
      if (isRepeated) return [];
      const { id, name, signature } = call;
      const json = wholeOf(call);
      // Only the last call can be truncated. Some servers close its braces, so it is rejected even if it parses.
      const isCutHere = isCut && position === this.#calls.length - 1;
      const end: ModelPart = {
        type: 'tool_call_end',
        id,
        name,
        ...resultOf(name, json, isCutHere),
        ...(signature !== undefined && { signature }),
      };
      return call.started ? [end] : [...this.#start(call), end];
    });
  }

  #start(call: OpenCall): readonly ModelPart[] {
    const { id, name, json } = call;
    call.started = true;
    const start: ModelPart = { type: 'tool_call_start', id, name };
    return json === '' ? [start] : [start, { type: 'tool_call_delta', id, json }];
  }

  /** A call without its own id may repeat an earlier call of the same tool. It starts once it is clear that it does not. */
  #mayRepeat({ id, providerId, name }: OpenCall): boolean {
    return id !== providerId && this.#calls.some((other) => other.id !== id && other.name === name);
  }

  #find(piece: ToolCallPiece): OpenCall | undefined {
    const index = piece.index ?? undefined;
    const same = piece.id ? this.#calls.findLast(({ providerId }) => providerId === piece.id) : undefined;
    const call =
      index === undefined
        ? (same ?? this.#calls.at(-1))
        : this.#calls.findLast((candidate) => candidate.index === index);
    if (call === undefined || !piece.function?.name || call.name === '') return call;
    // A repeated name starts a new call unless it repeats an unfinished one.
    if (piece.id) return piece.id === call.providerId || continues(call, piece) ? call : undefined;
    return call.json !== '' && 'input' in readToolInput(call.name, call.json) ? undefined : call;
  }

  #open(piece: ToolCallPiece): OpenCall {
    const providerId = piece.id ?? '';
    const index = piece.index ?? undefined;
    const call = {
      id: this.#ids.take(providerId),
      providerId,
      index,
      name: '',
      json: '',
      started: false,
      signature: undefined,
      whole: '',
    };
    this.#calls.push(call);
    return call;
  }
}

/** Some endpoints give each piece of a call another id. */
function continues(call: OpenCall, { index, function: given }: ToolCallPiece): boolean {
  const json = textOf(given?.arguments);
  if (typeof index !== 'number' || given?.name !== call.name || json === '') return false;
  const isComplete = (text: string) => 'input' in readToolInput(call.name, text);
  return call.json === '' ? !isComplete(json) : !/^\s*\{/.test(json) && !isComplete(call.json);
}

type Named = Pick<OpenCall, 'name' | 'json' | 'whole'>;

function toCall({ function: given }: ToolCallPiece): Named {
  return { name: given?.name ?? '', json: textOf(given?.arguments), whole: undefined };
}

/** Whether both are complete and equal. */
function isSame(one: Named, other: Named): boolean {
  if (one.name === '' || one.name !== other.name) return false;
  // Most pieces are incomplete, and shorter than what came before.
  const second = inputOf(other);
  return second !== undefined && inputOf(one) === second;
}

function inputOf(call: Named): string | undefined {
  const json = wholeOf(call);
  const read = json === '' ? {} : readToolInput(call.name, json);
  return 'input' in read ? JSON.stringify(read.input) : undefined;
}

function wholeOf({ name, json, whole }: Named): string {
  if (whole === undefined || 'input' in readToolInput(name, json)) return json;
  return 'input' in readToolInput(name, whole) ? whole : json;
}

function resultOf(name: string, json: string, isCut: boolean): ToolInput {
  if (name === '') return { error: new AgentError('unknown_tool', 'The tool call has no name.') };
  return isCut ? refuseToolInput(name, 'were truncated at the token limit') : readToolInput(name, json);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
