import type { FileRewind, RewoundFile } from '@qwen/agent';
import type { PastPrompt, RewindPart } from '../host/rewind-controls.js';
import { plural, shorten } from './command-parts.js';

// Loaded when the user rewinds.

export function describeRewind({ text }: PastPrompt, part: RewindPart, files: FileRewind | undefined): string {
  return [
    `Go back to before "${shorten(text)}"?`,
    ...(part === 'files' ? [] : ['The conversation ends before this prompt.']),
    ...(part === 'conversation' ? [] : fileLines(files)),
  ].join('\n');
}

export function rewoundText(part: RewindPart, files: FileRewind | undefined): string {
  return [
    ...(part === 'files' ? [] : ['The conversation was rewound.']),
    ...(part === 'conversation' ? [] : fileLines(files, 'done')),
  ].join('\n');
}

const VERBS = {
  todo: { restore: 'Restore', recreate: 'Recreate', delete: 'Delete' },
  done: { restore: 'Restored', recreate: 'Recreated', delete: 'Deleted' },
} as const;

/** What a rewind does to the files, one line each, with a summary. */
export function fileLines(rewind: FileRewind | undefined, tense: keyof typeof VERBS = 'todo'): readonly string[] {
  if (rewind === undefined) return ['No copies of files are kept (fileHistory.enabled is false).'];
  const { files, insertions, deletions } = rewind;
  if (files.length === 0) return ['No files to restore.'];
  const changed = files.filter(({ refused }) => refused === undefined).length;
  const summary = `${plural(changed, 'file')} (+${insertions} -${deletions} lines)`;
  return [
    tense === 'done' ? `Rewound ${summary}:` : `This changes ${summary}:`,
    ...files.map((file) => `  ${fileLine(file, tense)}`),
  ];
}

function fileLine({ path, action, changedSince, copy, refused }: RewoundFile, tense: keyof typeof VERBS): string {
  if (refused !== undefined) return `Keep ${path}: ${refused}`;
  const line = `${VERBS[tense][action]} ${path}`;
  if (changedSince !== true) return line;
  if (copy !== undefined) return `${line} (it had other changes: copy in ${copy})`;
  return tense === 'todo' ? `${line} (warning: something else changed it too; a copy is kept)` : line;
}
