import { AgentError } from '@qwen/protocol';
import { toExplainResult } from '../../control/explain-result.js';
import { explainFromConfiguration } from '../../explain-call.js';
import { type PermissionsCommand, toLines } from './command.js';

/** `explain TOOL INPUT`. */
export async function explainOne({ configuration, words, asJson, print }: PermissionsCommand): Promise<number> {
  const [name, input, ...more] = words;
  if (name === undefined || input === undefined || more.length > 0) {
    throw new AgentError('usage', 'permissions explain needs a tool and its input as JSON');
  }
  const call = { name, input: readInput(input) };
  const explanation = await explainFromConfiguration(call, configuration.permissionMode, configuration);
  const text = asJson ? JSON.stringify(toExplainResult(explanation), undefined, 2) : toLines(explanation).join('\n');
  await print(`${text}\n`);
  return 0;
}

/** Words that are no JSON object are a command. */
function readInput(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return { command: text };
  try {
    return JSON.parse(text);
  } catch {
    throw new AgentError('usage', 'permissions explain: the input is not JSON');
  }
}
