import { AgentError } from '@qwen/protocol';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import { EXPORT_FORMATS } from '../conversation/export-formats.js';
import { lastAnswer } from '../conversation/record-text.js';
import type { StoredSession } from '../host/session-controls.js';
import { badUsage, list, startingWith, timeText } from './command-parts.js';
import { conversationFileName, writeConversation } from './write-conversation.js';

const clear: Command = {
  name: 'clear',
  description: 'Clear the screen and conversation history',
  aliases: ['reset', 'new'],
  kind: 'built-in',
  forTerminal: true,
  run: async (_call, { session }) => {
    await session.clear();
    return { type: 'handled' };
  },
};

const compress: Command = {
  name: 'compress',
  description: 'Compresses the context by replacing it with a summary.',
  aliases: ['summarize', 'compact'],
  kind: 'built-in',
  run: async (_call, { session }) => {
    const result = await session.compact();
    if (result === undefined) return info('There is nothing to compress.');
    return info(`Compressed the context from ${result.tokensBefore} to ${result.tokensAfter} tokens.`);
  },
};

/** A fenced block; the closing fence has at least as many backticks. */
const CODE_BLOCK = /^(`{3,})[^\n`]*\n([^]*?)^\1`*\s*$/gm;

const copy: Command = {
  name: 'copy',
  description: 'Copy the last result or code snippet to clipboard',
  kind: 'built-in',
  forTerminal: true,
  usage: '[code]',
  run: async ({ args }, { session, clipboard }) => {
    if (args !== '' && args !== 'code') return badUsage(copy);
    const answer = lastAnswer(await session.records());
    if (answer === undefined) return info('There is no answer to copy yet.');
    const text = args === 'code' ? [...answer.matchAll(CODE_BLOCK)].at(-1)?.[2] : answer;
    if (text === undefined) return info('The last answer contains no code block.');
    const what = args === 'code' ? 'the last code block' : 'the last answer';
    return (await clipboard.copy(text)) === 'clipboard'
      ? info(`Copied ${what}.`)
      : info(`Sent ${what} to the clipboard of your terminal (OSC 52).`);
  },
  complete: async (partial) => startingWith(partial, ['code']),
};

const exportCommand: Command = {
  name: 'export',
  description: 'Export the conversation to a file.',
  kind: 'built-in',
  usage: 'md|json|jsonl|html|atif [FILE]',
  run: async (call, host) => {
    const [, wanted = '', path = ''] = /^(\S*)\s*([^]*)$/.exec(call.args) ?? [];
    const format = EXPORT_FORMATS.find((one) => one === wanted.toLowerCase());
    if (format === undefined) return badUsage(exportCommand);
    const file = { format, path: path === '' ? conversationFileName('session', host.session.sessionId, format) : path };
    return writeConversation(file, call, host);
  },
  complete: async (partial) => startingWith(partial, EXPORT_FORMATS),
};

const MAX_SHOWN = 20;
const MAX_TITLE_LENGTH = 80;

const resume: Command = {
  name: 'resume',
  description: 'List earlier sessions or resume one.',
  aliases: ['sessions'],
  kind: 'built-in',
  usage: '[SESSION]',
  run: async ({ args }, { session, storedSessions }) => {
    if (args === '' || args === 'list') {
      const stored = (await storedSessions.list(MAX_SHOWN + 1)).filter((one) => one.sessionId !== session.sessionId);
      return info(
        list('Earlier sessions:', stored.slice(0, MAX_SHOWN).map(sessionLine), 'There are no earlier sessions.'),
      );
    }
    if (args === session.sessionId) throw new AgentError('session_busy', `Session ${args} is already open.`);
    const history = await storedSessions.load(args);
    await session.restore(history);
    return { type: 'load_history', history };
  },
  complete: async (partial, { host }) =>
    startingWith(
      partial,
      (await host.storedSessions.list(MAX_SHOWN)).map((one) => ({ value: one.sessionId, description: titleOf(one) })),
    ),
};

function sessionLine(stored: StoredSession): string {
  return `${stored.sessionId}  ${timeText(stored.modifiedAtMs)}  ${titleOf(stored)}`.trimEnd();
}

function titleOf({ title, firstPrompt = '' }: StoredSession): string {
  const words = [...(title ?? firstPrompt).replaceAll(/\s+/g, ' ').trim()];
  return words.length > MAX_TITLE_LENGTH ? `${words.slice(0, MAX_TITLE_LENGTH).join('')}…` : words.join('');
}

export const conversationCommands: readonly Command[] = [clear, compress, copy, exportCommand, resume];
