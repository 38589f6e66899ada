import type { ChatEvent } from '@qwen/protocol/server';

type Thought = Extract<ChatEvent, { type: 'Thought' }>['value'];

/** A piece of thinking with its heading, which models set in bold at the beginning (GAP-70). */
export function toThought(thinking: string): Thought {
  const [, subject = '', rest] = /^\s*\*\*([^*\n]+)\*\*\s*([^]*)$/.exec(thinking) ?? [];
  return { subject: subject.trim(), description: (rest ?? thinking).trim() };
}
