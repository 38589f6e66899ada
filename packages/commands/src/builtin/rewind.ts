import type { FileRewind, RewoundFile } from '@qwen/agent';
import type { Command } from '../command.js';
import { failure, info, type MessageOutcome } from '../command-outcome.js';
import type { PastPrompt, RewindPart } from '../host/rewind-controls.js';
import { askFirst, badUsage, list, plural, startingWith, timeText } from './command-parts.js';

const MAX_LISTED = 20;
const MAX_TEXT_LENGTH = 80;
const PARTS: readonly RewindPart[] = ['both', 'files', 'conversation'];

export const rewindCommand: Command = {
  name: 'rewind',
  description: 'Restore the conversation, files or both as they were before a prompt.',
  kind: 'built-in',
  usage: '[NUMBER|ID [both|files|conversation|preview] [--yes]]',
  run: async (call, { rewind: controls }) => {
    const prompts = (await controls.prompts()).toReversed();
    const words = call.args.split(/\s+/).filter((word) => word !== '' && word !== '--yes');
    const [which, part = 'both', ...rest] = words;
    if (which === undefined) return listPrompts(prompts);
    if ((part !== 'preview' && !isPart(part)) || rest.length > 0) return badUsage(rewindCommand);
    const prompt = prompts[Number(which) - 1] ?? prompts.find(({ messageId }) => messageId === which);
    if (prompt === undefined) {
      return failure('message_not_found', `There is no prompt ${which}. /rewind lists the prompts.`);
    }
    const preview = await controls.preview(prompt.messageId);
    if (part === 'preview') return info(fileLines(preview).join('\n'));
    const isSure = call.args.split(/\s+/).includes('--yes');
    const question = isSure ? undefined : askFirst(call, describe(prompt, part, preview));
    if (question !== undefined) return question;
    const { files } = await controls.rewind(prompt.messageId, part);
    return info(rewoundText(part, files));
  },
  complete: async (partial, { host }) => {
    const prompts = (await host.rewind.prompts()).toReversed().slice(0, MAX_LISTED);
    const numbers = prompts.map(({ text }, index) => ({ value: String(index + 1), description: shorten(text) }));
    return startingWith(partial, numbers);
  },
};

function isPart(word: string): word is RewindPart {
  return PARTS.some((part) => part === word);
}

function listPrompts(prompts: readonly PastPrompt[]): MessageOutcome {
  const lines = prompts
    .slice(0, MAX_LISTED)
    .map(({ text, sentAtMs }, index) => `${index + 1}  ${timeText(sentAtMs)}  ${shorten(text)}`);
  const hint = lines.length === 0 ? '' : '\nUse /rewind NUMBER to go back to before a prompt.';
  return info(`${list('Prompts, newest first:', lines, 'There are no prompts to go back to.')}${hint}`);
}

function describe({ text }: PastPrompt, part: RewindPart, files: FileRewind | undefined): string {
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

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_TEXT_LENGTH ? `${line.slice(0, MAX_TEXT_LENGTH - 1)}…` : line;
}
