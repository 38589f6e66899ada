import { escapeHidden, hasHidden } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { complete } from './complete.js';
import { findWords } from './find-words.js';

const MEANING_LENGTH = 80;

/**
 * `qwen __complete WORD…`: one candidate per line, with its description after a tab; `:files` and `:folders` add
 * paths. Never fails.
 */
export const runComplete: Subcommand = async (options) => {
  try {
    const { candidates, paths } = await complete(options.words, (kind) => findWords(kind, options));
    const lines = candidates
      .filter(({ value }) => !hasHidden(value))
      .map(({ value, meaning }) =>
        meaning === undefined ? `${value}\n` : `${value}\t${escapeHidden(meaning, { maxLength: MEANING_LENGTH })}\n`,
      );
    await options.print([...lines, ...(paths === undefined ? [] : [`:${paths}\n`])].join(''));
  } catch {
    return 0;
  }
  return 0;
};
