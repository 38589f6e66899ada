import { AgentError, nearestName } from '@qwen/protocol';
import { helpText } from '../help.js';
import { COMMAND_SPECS } from './command-specs.js';
import type { Subcommand } from './subcommand.js';
import { commandHelp } from './words/command-help.js';

export const runHelp: Subcommand = async ({ words: [name, verb, ...more], print }) => {
  if (name === undefined || name === '--help' || name === '-h') {
    await print(helpText());
    return 0;
  }
  const spec = Object.hasOwn(COMMAND_SPECS, name) ? COMMAND_SPECS[name] : undefined;
  if (spec === undefined) throw noHelp('subcommand', name, Object.keys(COMMAND_SPECS));
  if (more.length > 0 || (verb !== undefined && !Object.hasOwn(spec.verbs, verb))) {
    throw noHelp(`command of qwen ${name}`, [verb, ...more].join(' '), Object.keys(spec.verbs));
  }
  await print(commandHelp(name, spec, verb));
  return 0;
};

function noHelp(what: string, word: string, known: readonly string[]): AgentError {
  const near = nearestName(word, known);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  return new AgentError('usage', `help: "${word}" is not a ${what}${hint}`);
}
