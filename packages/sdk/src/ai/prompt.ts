import { AgentError, type ContentBlock } from '../index.js';
import type { FileData, PromptMessage } from './language-model.js';

export interface AgentPrompt {
  /** Text of the system messages; empty without any. */
  readonly system: string;
  readonly content: ContentBlock[];
}

/**
 * The new messages of the user. Without a session to resume, what was said before becomes a transcript in front of them.
 * Throws `invalid_options` if there is no new message, or for files that the agent cannot read.
 */
export function toAgentPrompt(
  prompt: readonly PromptMessage[],
  { resumes }: { readonly resumes: boolean },
): AgentPrompt {
  const system = prompt.filter(({ role }) => role === 'system').map(textOf);
  const talk = prompt.filter(({ role }) => role === 'user' || role === 'assistant');
  const newest = talk.findLastIndex(({ role }) => role === 'assistant') + 1;
  const content = talk.slice(newest).flatMap(toBlocks);
  if (content.length === 0) {
    throw new AgentError(
      'invalid_options',
      'The last message must be a user message: the agent cannot continue an answer.',
    );
  }
  const earlier = resumes ? '' : talk.slice(0, newest).map(toLine).filter(Boolean).join('\n\n');
  const transcript: ContentBlock[] =
    earlier === '' ? [] : [{ type: 'text', text: `The conversation so far:\n\n${earlier}` }];
  return { system: system.join('\n\n'), content: [...transcript, ...content] };
}

function toLine(message: PromptMessage): string {
  const text = textOf(message);
  return text === '' ? '' : `${message.role === 'user' ? 'User' : 'You'}: ${text}`;
}

function textOf({ content }: PromptMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' && 'text' in part ? [part.text] : [])).join('\n');
}

function toBlocks({ content }: PromptMessage): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.map((part): ContentBlock => {
    if (part.type === 'text' && 'text' in part) return { type: 'text', text: part.text };
    if (part.type === 'file' && 'mediaType' in part) return toFileBlock(part);
    throw new AgentError(
      'invalid_options',
      `The agent cannot read a part of type ${part.type}. Send text, images or text files.`,
    );
  });
}

function toFileBlock({ mediaType, data }: FileData): ContentBlock {
  if (data.type === 'text') return { type: 'text', text: data.text };
  const isImage = mediaType.startsWith('image/') || mediaType === 'image';
  if (isImage && data.type === 'url') return { type: 'image', source: { type: 'url', url: data.url.href } };
  if (data.type === 'data' && isImage) {
    const base64 = typeof data.data === 'string' ? data.data : Buffer.from(data.data).toString('base64');
    return { type: 'image', source: { type: 'base64', media_type: mediaType, data: base64 } };
  }
  if (data.type === 'data' && mediaType.startsWith('text/')) {
    const bytes = typeof data.data === 'string' ? Buffer.from(data.data, 'base64') : data.data;
    return { type: 'text', text: new TextDecoder().decode(bytes) };
  }
  throw new AgentError(
    'invalid_options',
    `The agent cannot read a file of type ${mediaType} in a message. Write it into the workspace and name its path.`,
  );
}
