import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { lastAnswer } from '../conversation/record-text.js';
import { badUsage } from './command-text.js';
import { startingWith } from './completions.js';

/** A fenced block; its fence ends with as many backticks as it began with. */
const CODE_BLOCK = /^(`{3,})[^\n`]*\n([^]*?)^\1`*\s*$/gm;

export const copyCommand: Command = {
  name: 'copy',
  description: 'Copy the last result or code snippet to clipboard',
  kind: 'built-in',
  usage: '[code]',
  run: async ({ args }, { session, clipboard }) => {
    if (args !== '' && args !== 'code') return badUsage(copyCommand);
    const answer = lastAnswer(await session.records());
    if (answer === undefined) return says('There is no answer to copy yet.');
    const text = args === 'code' ? [...answer.matchAll(CODE_BLOCK)].at(-1)?.[2] : answer;
    if (text === undefined) return says('The last answer holds no code.');
    await clipboard.copy(text);
    return says(args === 'code' ? 'Copied the last code of the answer.' : 'Copied the last answer.');
  },
  complete: async (partial) => startingWith(partial, ['code']),
};
