import { explainFromConfiguration } from '@qwen/host/explain-call.js';
import { AgentError, encodeDocument } from '@qwen/protocol';
import { toExplainResult } from '../../control/explain-result.js';
import type { Subcommand } from '../subcommand.js';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import { configurationOf, toLines } from './command.js';
import { PERMISSIONS } from './spec.js';

export const explainOne: Subcommand = async (options) => {
  const { flags, rest } = readWords(options.words, {
    command: 'permissions explain',
    flags: PERMISSIONS.verbs.explain.flags,
  });
  const [name, input, ...more] = rest;
  if (name === undefined || input === undefined || more.length > 0) {
    throw new AgentError('usage', 'permissions explain needs a tool and its input as JSON');
  }
  const call = { name, input: readInput(input) };
  const configuration = await configurationOf(flags, options);
  const explanation = await explainFromConfiguration(call, configuration.permissionMode, configuration);
  const text = () => `${toLines(explanation).join('\n')}\n`;
  await options.print(wantsJson(flags) ? encodeDocument(toExplainResult(explanation)) : text());
  return 0;
};

/** Text that is not a JSON object is a command. */
function readInput(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return { command: text };
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentError('usage', 'permissions explain: the input is not valid JSON');
  }
}
