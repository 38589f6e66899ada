import type { AssistantPart, ModelMessage, UserPart } from '@qwen/models';
import { cutMiddle } from '../../conversation/cut-middle.js';

const MAX_RESULTS = [2_000, 500, 100];
const MAX_INPUT = 500;

/** The conversation as text in at most about `maxLength` characters: results are shortened, then the middle is omitted. */
export function toTranscript(messages: readonly ModelMessage[], maxLength: number): string {
  let text = '';
  for (const maxResult of MAX_RESULTS) {
    text = messages.map((message) => toEntry(message, maxResult)).join('\n\n');
    if (text.length <= maxLength) return text;
  }
  return cutMiddle(text, maxLength);
}

export function partsText(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

function toEntry(message: ModelMessage, maxResult: number): string {
  switch (message.role) {
    case 'user':
      return `USER:\n${partsText(message.content)}`;
    case 'assistant':
      return `AGENT:\n${message.content.map(toLine).filter(Boolean).join('\n')}`;
    case 'tool':
      return message.results
        .map(({ name, content, isError }) => {
          const text = cutMiddle(partsText(content), maxResult);
          return `${isError ? 'FAILURE' : 'RESULT'} of ${name}:\n${text}`;
        })
        .join('\n\n');
  }
}

function toLine(part: AssistantPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'thinking':
      return '';
    case 'tool_call':
      return `[calls ${part.name} ${cutMiddle(JSON.stringify(part.input) ?? '', MAX_INPUT)}]`;
  }
}
