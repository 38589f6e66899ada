import type { PublicEvent } from '@qwen/protocol/server';
import { describeCall } from '../call/describe-call.js';
import { type Block, type Conversation, type Entry, toCallKey } from '../conversation/conversation.js';
import type { ServerClient } from '../server/server-client.js';
import { EventFollower } from '../session/follow-events.js';

// Loaded when the user exports a session.

type ExportFormat = 'md' | 'json';

/** Offers the text as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text]));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export function toFileName(title: string, format: ExportFormat): string {
  const name = title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').replaceAll(/^-+|-+$/g, '');
  return `${name.slice(0, 60) || 'session'}.${format}`;
}

/** Errors: those of the client. */
export async function readEvents(client: ServerClient, sessionId: string): Promise<readonly PublicEvent[]> {
  const events: PublicEvent[] = [];
  const follower = new EventFollower(client, sessionId, {
    onEvents: (page) => events.push(...page),
    onGap: () => undefined,
    onLive: () => undefined,
  });
  await follower.readHistory(new AbortController().signal);
  return events;
}

export function toMarkdown(title: string, conversation: Conversation): string {
  const entries = conversation.entries.filter(({ parentToolUseId }) => parentToolUseId === null);
  const parts = entries.flatMap((entry) => toParts(entry, conversation));
  return `${[`# ${title}`, ...parts].join('\n\n')}\n`;
}

function toParts(entry: Entry, conversation: Conversation): string[] {
  switch (entry.kind) {
    case 'user': {
      const files = entry.files.map(({ name, text }) => `Attached file ${name}:\n\n${fence(text, '')}`);
      const images = entry.images.length === 0 ? [] : [`(${entry.images.length} attached images)`];
      return ['## You', entry.text, ...files, ...images];
    }
    case 'answer': {
      const blocks = entry.blocks.flatMap((block) => toBlockParts(block, entry.turnId, conversation));
      return blocks.length === 0 ? [] : ['## Agent', ...blocks];
    }
    case 'notice':
      return [`> ${entry.text.replaceAll('\n', '\n> ')}`];
    case 'turn':
      return [];
  }
}

function toBlockParts(block: Block, turnId: string | undefined, { calls }: Conversation): string[] {
  if (block.type === 'text') return block.text.trim() === '' ? [] : [block.text.trim()];
  if (block.type !== 'tool') return [];
  const { subject } = describeCall(block.name, block.input);
  const result = calls.get(toCallKey(turnId, block.toolUseId))?.result;
  const { content } = result ?? {};
  const text =
    typeof content === 'string' ? content : content === undefined ? '' : JSON.stringify(content, undefined, 2);
  return [
    `**${block.name}** ${subject}`.trim(),
    fence(JSON.stringify(block.input, undefined, 2) ?? block.inputText, 'json'),
    ...(text === '' ? [] : [fence(text, '')]),
  ];
}

/** Longer than all fences in the text. */
function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}${language}\n${text}\n${ticks}`;
}
