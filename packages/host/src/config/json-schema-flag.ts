import { readFileSync } from 'node:fs';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';

const schemaSchema = z.record(z.string(), z.unknown());

/** Reads `--json-schema`: JSON, or the path of a file. Throws `usage`. */
export function readJsonSchema(source: string): Readonly<Record<string, unknown>> {
  const isJson = source.trimStart().startsWith('{');
  try {
    return schemaSchema.parse(JSON.parse(isJson ? source : readFileSync(source, 'utf8')));
  } catch (cause) {
    const what = isJson ? 'the JSON given' : `the file ${source}`;
    throw new AgentError('usage', `--json-schema: ${what} is not a JSON object`, { cause });
  }
}
