import type { ModelPart } from '../parts.js';
import { opaqueLine } from '../response/opaque-lines.js';

type Detail = Record<string, unknown>;

const TEXT_MEMBERS = ['text', 'summary', 'data'] as const;

/** Joins the pieces of OpenRouter's `reasoning_details`, which go back unchanged. */
export class ReasoningDetails {
  #details: Detail[] = [];

  get isPending(): boolean {
    return this.#details.length > 0;
  }

  add(pieces: readonly Detail[]): void {
    for (const piece of pieces) {
      const last = this.#details.at(-1);
      const continues = last?.['type'] === piece['type'] && last?.['index'] === piece['index'];
      if (last === undefined || !continues || piece['type'] === 'reasoning.encrypted') this.#details.push({ ...piece });
      else join(last, piece);
    }
  }

  /** Everything so far, once. */
  take(): readonly ModelPart[] {
    if (!this.isPending) return [];
    const signature = opaqueLine('details', this.#details);
    this.#details = [];
    return [{ type: 'thinking_signature', signature }];
  }
}

function join(detail: Detail, piece: Detail): void {
  for (const [name, value] of Object.entries(piece)) {
    if (value === null || value === undefined) continue;
    const before = detail[name];
    const isText = TEXT_MEMBERS.some((member) => member === name);
    detail[name] = isText && typeof before === 'string' && typeof value === 'string' ? before + value : value;
  }
}
