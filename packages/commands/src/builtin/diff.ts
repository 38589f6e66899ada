import type { RewoundFile } from '@qwen/agent';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { plural } from './command-parts.js';

/** Characters; the rest is named. */
const MAX_LENGTH = 100_000;

export const diffCommand: Command = {
  name: 'diff',
  description: 'Show what this session changed in files.',
  kind: 'built-in',
  run: async (_call, { rewind }) => {
    const [first] = await rewind.prompts();
    if (first === undefined) return info('No files were changed: the conversation is empty.');
    const changes = await rewind.preview(first.messageId);
    if (changes === undefined) return info('No copies of files are kept (fileHistory.enabled is false).');
    const { files, insertions, deletions } = changes;
    if (files.length === 0) return info('This session has changed no files.');
    // The preview counts the lines of a rewind, which undoes the changes.
    const summary = `${plural(files.length, 'file')} changed (+${deletions} -${insertions} lines)`;
    return info([summary, ...shorten(files.map(textOf))].join('\n'));
  },
};

function textOf({ path, diff, refused, action }: RewoundFile): string {
  if (diff !== undefined) return diff.trimEnd();
  const state = action === 'delete' ? 'new' : action === 'recreate' ? 'deleted' : 'changed';
  return `${path}: ${state}${refused === undefined ? ', not shown: not a text file, or too large' : `. ${refused}`}`;
}

function shorten(texts: readonly string[]): readonly string[] {
  let left = MAX_LENGTH;
  const shown = texts.filter((text) => {
    left -= text.length;
    return left >= 0;
  });
  const missing = texts.length - shown.length;
  return missing === 0 ? shown : [...shown, `${plural(missing, 'file')} with long changes omitted.`];
}
