import type { SessionRecord } from '@qwen/protocol';
import { type ChatMessage, toChatMessages } from './chat-messages.js';
import type { ExportFormat } from './export-formats.js';
import { toTrajectory } from './render-trajectory.js';

export interface ConversationInfo {
  readonly sessionId: string;
  readonly model: string;
}

/** `json` is an object with `messages`, `jsonl` one message per line; `html` contains no scripts; `atif` is a trajectory. */
export function renderConversation(
  format: ExportFormat,
  records: readonly SessionRecord[],
  facts: ConversationInfo,
): string {
  const messages = toChatMessages(records);
  switch (format) {
    case 'json':
      return `${JSON.stringify({ session_id: facts.sessionId, model: facts.model, messages }, undefined, 2)}\n`;
    case 'jsonl':
      return messages.map((message) => `${JSON.stringify(message)}\n`).join('');
    case 'atif':
      return `${JSON.stringify(toTrajectory(records, facts.sessionId), undefined, 2)}\n`;
    case 'md':
      return `${[`# Conversation ${facts.sessionId}`, `Model: ${facts.model}`, ...messages.flatMap(toSections)].join('\n\n')}\n`;
    case 'html':
      return toPage(messages, facts);
  }
}

const TITLES = { system: 'Summary', user: 'User', assistant: 'Assistant', tool: 'Tool result' } as const;

function toSections(message: ChatMessage): string[] {
  const { role, tool_calls: calls = [] } = message;
  const words = wordsOf(message);
  const body = role === 'tool' ? fenced(words) : words;
  return [
    `## ${TITLES[role]}`,
    ...(body === '' ? [] : [body]),
    ...calls.map((call) => `Calls \`${call.function.name}\`:\n\n${fenced(call.function.arguments)}`),
  ];
}

function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

function wordsOf({ content }: ChatMessage): string {
  if (content === null || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : '[image]')).join('\n');
}

const STYLE =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem}' +
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f6f6f6;padding:.75rem;border-radius:.5rem}' +
  '.user pre{background:#eaf2ff}';

function toPage(messages: readonly ChatMessage[], { sessionId, model }: ConversationInfo): string {
  const title = `Conversation ${escapeHtml(sessionId)}`;
  const sections = messages.map((message) => {
    const calls = (message.tool_calls ?? []).map(
      ({ function: { name, arguments: input } }) =>
        `<p>Calls <code>${escapeHtml(name)}</code></p>${preformatted(input)}`,
    );
    const words = wordsOf(message);
    const body = [...(words === '' ? [] : [preformatted(words)]), ...calls].join('');
    return `<section class="${message.role}"><h2>${TITLES[message.role]}</h2>${body}</section>`;
  });
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    `<title>${title}</title><style>${STYLE}</style></head>`,
    `<body><h1>${title}</h1><p>Model: ${escapeHtml(model)}</p>`,
    ...sections,
    '</body></html>',
    '',
  ].join('\n');
}

function preformatted(text: string): string {
  return `<pre>${escapeHtml(text)}</pre>`;
}

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}
