import type { Command } from '../command.js';
import { failure, info, type MessageOutcome } from '../command-outcome.js';
import type { PastPrompt, RewindPart } from '../host/rewind-controls.js';
import { askFirst, badUsage, list, shorten, startingWith, timeText } from './command-parts.js';

const MAX_LISTED = 20;
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
    const { describeRewind, fileLines, rewoundText } = await import('./rewind-texts.js');
    const preview = await controls.preview(prompt.messageId);
    if (part === 'preview') return info(fileLines(preview).join('\n'));
    const isSure = call.args.split(/\s+/).includes('--yes');
    const question = isSure ? undefined : askFirst(call, describeRewind(prompt, part, preview));
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
