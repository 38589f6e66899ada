import { toVisibleLine } from '@qwen/host/visible-text.js';
import type { Subcommand } from '../subcommand.js';
import { complete } from './complete.js';
import { findWords } from './find-words.js';

const MEANING_LENGTH = 80;
/** A name that would end a line, or move the cursor, is none that a shell can be given. */
const UNSHOWN = /\p{C}/u;

/**
 * `qwen __complete WORD…`, which the scripts of the shells call: a candidate a line, behind a tab what it is; `:files`
 * and `:folders` let the shell add names of its own. Never fails: whoever presses a key wants no message.
 */
export const runComplete: Subcommand = async (options) => {
  try {
    const { candidates, paths } = await complete(options.words, (kind) => findWords(kind, options));
    const lines = candidates
      .filter(({ value }) => !UNSHOWN.test(value))
      .map(({ value, meaning }) =>
        meaning === undefined ? `${value}\n` : `${value}\t${toVisibleLine(meaning, MEANING_LENGTH)}\n`,
      );
    await options.print([...lines, ...(paths === undefined ? [] : [`:${paths}\n`])].join(''));
  } catch {
    return 0;
  }
  return 0;
};
