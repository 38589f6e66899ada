import { type ThoughtAnnotation, toTerminalText } from '@qwen/protocol/openai';

const SUBJECT_LENGTH = 80;

const BOLD = /\*\*([^*\n]+)\*\*/;
const SENTENCE = /^[^\n]*?(?:[.!?](?=\s|$)|[。！？]|(?=\n)|$)/;

/**
 * The first bold text is the subject, else the first sentence; the rest is the description. Undefined if there is
 * only a signature.
 */
export function toThought(thinking: string): ThoughtAnnotation | undefined {
  const text = toTerminalText(thinking).trim();
  if (text === '') return undefined;
  const bold = BOLD.exec(text);
  if (bold?.[1] !== undefined) {
    const before = text.slice(0, bold.index).trim();
    const after = text.slice(bold.index + bold[0].length).trim();
    return thought(bold[1].trim(), [before, after].filter((part) => part !== '').join('\n'));
  }
  const sentence = SENTENCE.exec(text)?.[0] ?? '';
  if (sentence.length <= SUBJECT_LENGTH) return thought(sentence.trim(), text.slice(sentence.length).trim());
  const words = sentence.slice(0, SUBJECT_LENGTH - 1).replace(/[\ud800-\udbff]$|\s+\S*$/, '');
  return thought(`${words}…`, text);
}

function thought(subject: string, description: string): ThoughtAnnotation {
  return { type: 'x-qwen-thought', subject, description };
}
