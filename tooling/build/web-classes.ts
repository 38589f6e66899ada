/**
 * The part of `Headers` that the provider clients use: names are case-insensitive, repeated values are joined by a comma
 * and a space. Values are validated when the request is sent.
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

/** The clients test bodies with `instanceof`; we send none of this type. */
export function FormData(): never {
  throw new TypeError('The bundle sends no forms.');
}

/** Never used: `takeRequest` in @qwen/models sends the request that a client builds. */
export function Response(): never {
  throw new TypeError('The bundle gives the clients of the providers no answers.');
}
