import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AgentError, describeIssue, permissionModeSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toExplainResult } from '../../control/explain-result.js';
import { explainFromConfiguration } from '../../explain-call.js';
import { toVisible } from '../../visible-text.js';
import { type PermissionsCommand, toLines } from './command.js';

const casesSchema = z.array(
  z.strictObject({
    tool: z.string(),
    /** For a shell the command itself will do. */
    input: z.union([z.string(), z.record(z.string(), z.unknown())]),
    mode: z.optional(permissionModeSchema),
    expect: z.enum(['allow', 'ask', 'deny']),
  }),
);

/** `test FILE`: 1 when a case is decided otherwise than it expects. */
export async function testCases({ configuration, words, asJson, cwd, print }: PermissionsCommand): Promise<number> {
  const [file, ...more] = words;
  if (file === undefined || more.length > 0) throw new AgentError('usage', 'permissions test needs one file');
  const cases = await readCases(resolve(cwd, file));
  const results = [];
  for (const { tool, input, mode = configuration.permissionMode, expect } of cases) {
    const call = { name: tool, input: typeof input === 'string' ? { command: input } : input };
    const explanation = await explainFromConfiguration(call, mode, configuration);
    results.push({ tool, input, mode, expect, explanation, passed: explanation.behavior === expect });
  }
  const failed = results.filter(({ passed }) => !passed);
  if (asJson) {
    const rows = results.map(({ explanation, ...row }) => ({ ...row, ...toExplainResult(explanation) }));
    await print(`${JSON.stringify(rows, undefined, 2)}\n`);
  } else {
    for (const { tool, input, mode, expect, explanation } of failed) {
      await print(`${toVisible(`${tool} ${JSON.stringify(input)} in mode ${mode}: expected ${expect}`)}\n`);
      await print(`${toLines(explanation).join('\n')}\n`);
    }
    await print(`${results.length - failed.length} as expected, ${failed.length} not\n`);
  }
  return failed.length === 0 ? 0 : 1;
}

async function readCases(path: string) {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(path, 'utf8'));
  } catch (thrown) {
    throw new AgentError('usage', `${path} cannot be read as JSON: ${AgentError.from(thrown).message}`);
  }
  const parsed = z.safeParse(casesSchema, json);
  if (!parsed.success) throw new AgentError('usage', `${path}: ${describeIssue('cases', parsed.error)}`);
  return parsed.data;
}
