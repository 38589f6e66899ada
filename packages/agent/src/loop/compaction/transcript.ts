import type { AssistantPart, ModelMessage, UserPart } from '@qwen/models';

/** What is kept of one result of a tool, and of the input of one call, in characters. */
const MAX_RESULT = 2_000;
const MAX_INPUT = 500;

/** A conversation as plain text for whoever sums it up; results are cut, and past `maxLength` the middle is left out. */
export function toTranscript(messages: readonly ModelMessage[], maxLength: number): string {
  return cutMiddle(messages.map(toEntry).join('\n\n'), maxLength);
}

/** The text with its middle left out where it is longer. */
export function cutMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const half = Math.floor(maxLength / 2);
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`;
}

/** What a prompt says in words. */
export function textOf(parts: readonly UserPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

function toEntry(message: ModelMessage): string {
  switch (message.role) {
    case 'user':
      return `USER:\n${textOf(message.content)}`;
    case 'assistant':
      return `AGENT:\n${message.content.map(toLine).filter(Boolean).join('\n')}`;
    case 'tool':
      return message.results
        .map(({ name, content, isError }) => {
          const text = cutMiddle(textOf(content), MAX_RESULT);
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
