import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { explainFromConfiguration } from '@qwen/host/explain-call.js';
import { AgentError, describeIssue, escapeHidden, permissionModeSchema } from '@qwen/protocol';
import * as z from 'zod/mini';
import { toExplainResult } from '../../control/explain-result.js';
import type { Subcommand } from '../subcommand.js';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import { configurationOf, toLines } from './command.js';
import { PERMISSIONS } from './spec.js';

const casesSchema = z.array(
  z.strictObject({
    tool: z.string(),
    /** A string is a shell command. */
    input: z.union([z.string(), z.record(z.string(), z.unknown())]),
    mode: z.optional(permissionModeSchema),
    expect: z.enum(['allow', 'ask', 'deny']),
  }),
);

/** Exit code 1 if a decision differs from the expected one. */
export const testCases: Subcommand = async (options) => {
  const { words, cwd, print } = options;
  const { flags, rest } = readWords(words, { command: 'permissions test', flags: PERMISSIONS.verbs.test.flags });
  const [file, ...more] = rest;
  if (file === undefined || more.length > 0) throw new AgentError('usage', 'permissions test needs one file');
  const configuration = await configurationOf(flags, options);
  const cases = await readCases(resolve(cwd, file));
  const results = [];
  for (const { tool, input, mode = configuration.permissionMode, expect } of cases) {
    const call = { name: tool, input: typeof input === 'string' ? { command: input } : input };
    const explanation = await explainFromConfiguration(call, mode, configuration);
    results.push({ tool, input, mode, expect, explanation, passed: explanation.behavior === expect });
  }
  const failed = results.filter(({ passed }) => !passed);
  if (wantsJson(flags)) {
    const rows = results.map(({ explanation, ...row }) => ({ ...row, ...toExplainResult(explanation) }));
    await print(`${JSON.stringify(rows, undefined, 2)}\n`);
  } else {
    for (const { tool, input, mode, expect, explanation } of failed) {
      await print(`${escapeHidden(`${tool} ${JSON.stringify(input)} in mode ${mode}: expected ${expect}`)}\n`);
      await print(`${toLines(explanation).join('\n')}\n`);
    }
    await print(`${results.length - failed.length} passed, ${failed.length} failed\n`);
  }
  return failed.length === 0 ? 0 : 1;
};

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
