import { parseArgs } from 'node:util';
import { AgentError } from '@qwen/protocol';

type Options = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>['options']>;

/** Words of one verb as flags and the rest. */
export interface ReadWords<Given extends Options> {
  readonly flags: ReturnType<typeof parseArgs<{ options: Given; strict: true; allowPositionals: true }>>['values'];
  readonly rest: readonly string[];
}

/** Reads the words behind a verb. Throws `usage` that names the flag at fault. */
export function readWords<Given extends Options>(words: readonly string[], options: Given): ReadWords<Given> {
  try {
    const { values, positionals } = parseArgs({ args: [...words], options, strict: true, allowPositionals: true });
    return { flags: values, rest: positionals };
  } catch (cause) {
    throw new AgentError('usage', `mcp: ${cause instanceof Error ? cause.message : ''}`, { cause });
  }
}

/** Throws `usage` unless there is exactly one word. */
export function onlyName(rest: readonly string[]): string {
  const [name, ...more] = rest;
  if (name === undefined || more.length > 0) throw new AgentError('usage', 'mcp: expected the name of one server');
  return name;
}
