import { AgentError } from '@qwen/protocol';
import { COMPLETION_SCRIPTS } from './completion/scripts.js';
import { COMPLETION, SHELLS } from './completion/spec.js';
import type { Subcommand } from './subcommand.js';
import { commandHelp } from './words/command-help.js';
import { readWords } from './words/read-words.js';

export const runCompletion: Subcommand = async ({ words, print }) => {
  if (words.length === 0 || words.some((word) => word === '--help' || word === '-h')) {
    await print(commandHelp('completion', COMPLETION));
    return 0;
  }
  const { rest } = readWords(words, { command: 'completion', flags: COMPLETION.own.flags });
  const [word = '', ...more] = rest;
  const shell = SHELLS.find((one) => one === word);
  if (shell === undefined || more.length > 0) {
    throw new AgentError('usage', `completion: "${rest.join(' ')}" is not one of ${SHELLS.join(', ')}`);
  }
  await print(COMPLETION_SCRIPTS[shell]);
  return 0;
};
