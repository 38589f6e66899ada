/**
 * Headers of a request, as the clients of the providers build them: names in any case, values joined by a comma and a
 * space. Values are checked by whoever sends them.
 */
export class Headers {
  readonly #values = new Map<string, string>();

  constructor(init: Iterable<readonly [string, string]> | Readonly<Record<string, string>> = {}) {
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries) this.append(name, value);
  }

  append(name: string, value: string): void {
    const present = this.get(name);
    this.set(name, present === null ? value : `${present}, ${value.trim()}`);
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value.trim());
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(action: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) action(value, name, this);
  }

  /** In the order of the names, as the standard has it. */
  *entries(): Generator<[string, string]> {
    yield* [...this.#values].toSorted(([left], [right]) => (left < right ? -1 : 1));
  }

  *keys(): Generator<string> {
    for (const [name] of this) yield name;
  }

  *values(): Generator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): Generator<[string, string]> {
    return this.entries();
  }
}

/** A body that we never send; the clients ask whether theirs is one. */
export function FormData(): never {
  throw new TypeError('The bundle sends no forms.');
}

/** An answer that the clients never get: we send what they built (`takeRequest` of @qwen/models). */
export function Response(): never {
  throw new TypeError('The bundle gives the clients of the providers no answers.');
}
