import type { ModelMessage } from '@qwen/models';
import { FILES_HEADING, findBuiltinTool } from '@qwen/protocol';
import { textTokens } from '../../conversation/context-usage.js';
import { isHookContext } from '../hooks/hook-text.js';
import { cutMiddle, partsText } from './transcript.js';

const OPEN = '<user-requests>\n';
const CLOSE = '\n</user-requests>';
/** The length tells where a text ends, whatever it contains. Older versions wrote none. */
const MARK = /--- user message \d+, (\d+) characters ---\n/y;
const MARK_WITHOUT_LENGTH = /^--- user message \d+ ---\n/m;
const MAX_FILES = 50;

/**
 * The parts that a summary must not rewrite: requests, the todo list and file names. Read from the replaced messages.
 */
export interface CarryOver {
  readonly requests: readonly string[];
  readonly edited: readonly string[];
  readonly read: readonly string[];
  readonly todos: readonly string[];
}

export function isHead(message: ModelMessage | undefined): boolean {
  return message !== undefined && headText(message) !== undefined;
}

export function readCarryOver(messages: readonly ModelMessage[]): CarryOver {
  const [first, ...rest] = messages;
  const head = first && headText(first);
  const earlier = head === undefined ? undefined : readHead(head);
  const newer = head === undefined ? messages : rest;
  const calls = succeededCalls(newer);
  return {
    requests: [...(earlier?.requests ?? []), ...newer.flatMap(requestsIn)],
    edited: lastFiles([...(earlier?.edited ?? []), ...calls.flatMap((call) => filesOf(call, EDITING))]),
    read: lastFiles([...(earlier?.read ?? []), ...calls.flatMap((call) => filesOf(call, READING))]),
    todos: lastTodos(calls) ?? earlier?.todos ?? [],
  };
}

/** Requests stay verbatim unless they exceed `maxTokens`; then the longest lose their middle. */
export function renderHead(carried: CarryOver, summary: string, maxTokens: number): string {
  const requests = fit(carried.requests, maxTokens);
  const sections = [
    requests.length > 0 &&
      `${OPEN}The user's messages before the latest ones, word for word, oldest first. They still apply.\n\n${requests
        .map((text, index) => `--- user message ${index + 1}, ${text.length} characters ---\n${text}`)
        .join('\n\n')}${CLOSE}`,
    `<conversation-summary>\nThe agent's work so far, summarized:\n${disarm(summary)}\n</conversation-summary>`,
    section('files-edited', carried.edited),
    section('files-read', carried.read),
    section('todo-list', carried.todos),
  ];
  return sections.filter(Boolean).join('\n\n');
}

function section(tag: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `<${tag}>\n${lines.map(disarm).join('\n')}\n</${tag}>`;
}

/** A summary or a file name must not pose as a section. */
function disarm(text: string): string {
  return text.replaceAll(/<(\/?(?:user-requests|conversation-summary|files-edited|files-read|todo-list)>)/g, '&lt;$1');
}

function headText(message: ModelMessage): string | undefined {
  const [part] = message.role === 'user' ? message.content : [];
  if (part?.type !== 'text') return undefined;
  return part.text.startsWith(OPEN) || part.text.startsWith('<conversation-summary>\n') ? part.text : undefined;
}

function readHead(head: string): CarryOver {
  const { requests, rest } = readRequests(head);
  const lines = (tag: string): string[] => {
    const found = new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(rest)?.[1];
    return found === undefined ? [] : found.split('\n');
  };
  return {
    requests,
    edited: lines('files-edited'),
    read: lines('files-read'),
    todos: lines('todo-list'),
  };
}

function readRequests(head: string): { readonly requests: readonly string[]; readonly rest: string } {
  if (!head.startsWith(OPEN)) return { requests: [], rest: head };
  const requests: string[] = [];
  let at = head.indexOf('--- user message ');
  for (;;) {
    MARK.lastIndex = at;
    const [mark, length] = MARK.exec(head) ?? [];
    if (mark === undefined) break;
    const start = at + mark.length;
    requests.push(head.slice(start, start + Number(length)));
    at = start + Number(length);
    if (!head.startsWith('\n\n', at)) break;
    at += 2;
  }
  if (head.startsWith(CLOSE, at)) return { requests, rest: head.slice(at) };
  const end = head.lastIndexOf(CLOSE);
  const texts = head.slice(OPEN.length, end).split(MARK_WITHOUT_LENGTH).slice(1);
  return end < 0
    ? { requests: [], rest: head }
    : { requests: texts.map((text) => text.replace(/\n\n$/, '')), rest: head.slice(end) };
}

function requestsIn(message: ModelMessage): string[] {
  if (message.role === 'tool') {
    return message.results
      .filter(({ name, isError }) => !isError && findBuiltinTool(name) === 'ask_user_question')
      .map(({ content }) => `Answer to a question of the agent:\n${partsText(content)}`);
  }
  if (message.role !== 'user') return [];
  const files = message.content.findIndex((part) => part.type === 'text' && part.text === FILES_HEADING);
  const own = (files < 0 ? message.content : message.content.slice(0, files)).filter(
    (part) => part.type !== 'text' || !(isHookContext(part.text) || part.text.startsWith('<system-note>\n')),
  );
  const text = partsText(own);
  return text.trim() === '' ? [] : [text];
}

function fit(texts: readonly string[], maxTokens: number): readonly string[] {
  let limit = Math.max(0, ...texts.map(({ length }) => length));
  const shortened = () => texts.map((text) => cutMiddle(text, limit));
  while (limit > 200 && shortened().reduce((sum, text) => sum + textTokens(text), 0) > maxTokens) {
    limit = Math.floor(limit * 0.8);
  }
  return shortened();
}

interface Call {
  readonly name: string;
  readonly input: unknown;
}

const EDITING: ReadonlySet<string> = new Set(['edit', 'write_file']);
const READING: ReadonlySet<string> = new Set(['read_file', 'read_many_files']);

function succeededCalls(messages: readonly ModelMessage[]): Call[] {
  const succeeded = new Set(
    messages.flatMap((message) =>
      message.role === 'tool' ? message.results.filter(({ isError }) => !isError).map(({ callId }) => callId) : [],
    ),
  );
  return messages.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) =>
          part.type === 'tool_call' && succeeded.has(part.id) ? [{ name: part.name, input: part.input }] : [],
        )
      : [],
  );
}

function filesOf({ name, input }: Call, tools: ReadonlySet<string>): string[] {
  if (typeof input !== 'object' || input === null) return [];
  // Of an editor with several commands.
  const isView = 'command' in input && input.command === 'view';
  if (isView ? tools !== READING : !tools.has(findBuiltinTool(name) ?? '')) return [];
  const named = Object.entries(input).flatMap(([key, value]: [string, unknown]) => (/path/i.test(key) ? value : []));
  return named.filter((path): path is string => typeof path === 'string' && path !== '' && !path.includes('\n'));
}

function lastFiles(paths: readonly string[]): string[] {
  return [...new Set(paths.toReversed())].slice(0, MAX_FILES).toReversed();
}

function lastTodos(calls: readonly Call[]): string[] | undefined {
  const input: unknown = calls.findLast(({ name }) => findBuiltinTool(name) === 'todo_write')?.input;
  if (typeof input !== 'object' || input === null || !('todos' in input) || !Array.isArray(input.todos))
    return undefined;
  return input.todos.flatMap((todo: unknown) => {
    if (typeof todo !== 'object' || todo === null || !('content' in todo)) return [];
    const status = 'status' in todo ? String(todo.status) : 'pending';
    return [`[${status}] ${String(todo.content).replaceAll('\n', ' ')}`];
  });
}
