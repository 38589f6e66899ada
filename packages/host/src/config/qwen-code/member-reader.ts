import { describeIssue, isJsonObject, type JsonObject } from '@qwen/protocol';
import type * as z from 'zod/mini';

export interface UnusedMember {
  readonly path: string;
  readonly reason?: string;
}

/** Reads members of a settings file once each; what is left over has no effect. */
export class MemberReader {
  readonly #rest: Record<string, unknown>;
  readonly #unused: UnusedMember[] = [];
  readonly #written = new Map<string, string>();

  constructor(json: JsonObject) {
    this.#rest = structuredClone(json);
  }

  get rest(): JsonObject {
    return this.#rest;
  }

  get unused(): readonly UnusedMember[] {
    return this.#unused;
  }

  has(path: string): boolean {
    return this.#find(path) !== undefined;
  }

  take(path: string): unknown {
    const found = this.#find(path);
    if (found === undefined) return undefined;
    const { holder, name } = found;
    const value = holder[name];
    delete holder[name];
    return value;
  }

  /** A member that does not match has no effect. */
  read<Value>(path: string, schema: z.ZodMiniType<Value>): Value | undefined {
    const value = this.take(path);
    if (value === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    this.refuse(path, problemOf(describeIssue('value', parsed.error)));
    return undefined;
  }

  refuse(path: string, reason?: string): void {
    this.#unused.push({ path: this.#written.get(path) ?? path, ...(reason !== undefined && { reason }) });
  }

  rename(from: string, to: string): void {
    if (!this.has(from) || this.has(to)) return;
    const value = this.take(from);
    const parts = to.split('.');
    const name = parts.pop() ?? '';
    let holder = this.#rest;
    for (const part of parts) {
      holder[part] ??= {};
      const next = holder[part];
      if (!isJsonObject(next)) {
        this.refuse(from);
        return;
      }
      holder = next;
    }
    holder[name] = value;
    this.#written.set(to, from);
  }

  #find(path: string): { readonly holder: Record<string, unknown>; readonly name: string } | undefined {
    const parts = path.split('.');
    const name = parts.pop() ?? '';
    let holder: unknown = this.#rest;
    for (const part of parts) {
      if (!isJsonObject(holder) || !Object.hasOwn(holder, part)) return undefined;
      holder = holder[part];
    }
    if (!isJsonObject(holder) || !Object.hasOwn(holder, name)) return undefined;
    return { holder, name };
  }
}

function problemOf(text: string): string {
  return text.replace(/^value: /, '');
}

/** The innermost members of a value, as paths; an empty object has none. */
export function leavesOf(value: unknown, path: string): readonly string[] {
  if (!isJsonObject(value)) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, `${path}.${name}`));
}

export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>((holder, name) => {
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return undefined;
    return (holder as JsonObject)[name];
  }, value);
}
