import type { ModelMessage } from '@qwen/models';
import { FILES_HEADING, findBuiltinTool } from '@qwen/protocol';
import { textTokens } from '../../conversation/context-usage.js';
import { cutMiddle } from '../../conversation/cut-middle.js';
import { isHookContext } from '../hooks/hook-text.js';
import { readTexts, renderTexts, type TextSection } from './carried-texts.js';
import { partsText } from './transcript.js';

const REQUESTS: TextSection = {
  tag: 'user-requests',
  label: 'user message',
  intro: "The user's messages before the latest ones, word for word, oldest first. They still apply.",
};
const SKILLS: TextSection = {
  tag: 'loaded-skills',
  label: 'skill',
  intro: 'Instructions of skills that were loaded. They still apply to their tasks.',
};
const OPEN = '<user-requests>\n';
const CLOSE = '\n</user-requests>';
/** Older versions wrote no lengths. */
const MARK_WITHOUT_LENGTH = /^--- user message \d+ ---\n/m;
const MAX_FILES = 50;
/** The share of the tokens for requests. */
const SKILLS_SHARE = 0.5;

/**
 * The parts that a summary must not rewrite: requests, loaded skills, the todo list and file names. Read from the replaced messages.
 */
export interface CarryOver {
  readonly requests: readonly string[];
  /** The latest last. */
  readonly skills: readonly string[];
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
    skills: lastSkills([...(earlier?.skills ?? []), ...newer.flatMap(skillsIn)]),
    edited: lastFiles([...(earlier?.edited ?? []), ...calls.flatMap((call) => filesOf(call, EDITING))]),
    read: lastFiles([...(earlier?.read ?? []), ...calls.flatMap((call) => filesOf(call, READING))]),
    todos: lastTodos(calls) ?? earlier?.todos ?? [],
  };
}

/**
 * Requests stay verbatim unless they exceed `maxTokens`; then the longest lose their middle. Skills that do not fit are
 * left out: the model can load them again.
 */
export function renderHead(carried: CarryOver, summary: string, maxTokens: number): string {
  const requests = fit(carried.requests, maxTokens);
  const sections = [
    renderTexts(REQUESTS, requests),
    renderTexts(SKILLS, lastWithin(carried.skills, maxTokens * SKILLS_SHARE)),
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
  return text.replaceAll(
    /<(\/?(?:user-requests|loaded-skills|conversation-summary|files-edited|files-read|todo-list)>)/g,
    '&lt;$1',
  );
}

function headText(message: ModelMessage): string | undefined {
  const [part] = message.role === 'user' ? message.content : [];
  if (part?.type !== 'text') return undefined;
  return [OPEN, `<${SKILLS.tag}>\n`, '<conversation-summary>\n'].some((start) => part.text.startsWith(start))
    ? part.text
    : undefined;
}

function readHead(head: string): CarryOver {
  const { requests, rest: more } = readRequests(head);
  const skills = readTexts(more, /^\n*/.exec(more)?.[0].length ?? 0, SKILLS);
  const rest = skills === undefined ? more : more.slice(skills.end);
  const lines = (tag: string): string[] => {
    const found = new RegExp(`<${tag}>\\n([\\s\\S]*?)\\n</${tag}>`).exec(rest)?.[1];
    return found === undefined ? [] : found.split('\n');
  };
  return {
    requests,
    skills: skills?.texts ?? [],
    edited: lines('files-edited'),
    read: lines('files-read'),
    todos: lines('todo-list'),
  };
}

function readRequests(head: string): { readonly requests: readonly string[]; readonly rest: string } {
  if (!head.startsWith(OPEN)) return { requests: [], rest: head };
  const read = readTexts(head, 0, REQUESTS);
  if (read !== undefined) return { requests: read.texts, rest: head.slice(read.end) };
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

function skillsIn(message: ModelMessage): string[] {
  if (message.role !== 'tool') return [];
  return message.results
    .filter(({ name, isError }) => !isError && findBuiltinTool(name) === 'skill')
    .map(({ content }) => partsText(content))
    .filter((text) => SKILL_START.test(text));
}

const SKILL_START = /^<skill_content name="[^"]*">/;

function lastSkills(texts: readonly string[]): string[] {
  const starts = texts.map((text) => SKILL_START.exec(text)?.[0]);
  return texts.filter((_, index) => starts.lastIndexOf(starts[index]) === index);
}

function lastWithin(texts: readonly string[], maxTokens: number): readonly string[] {
  let rest = maxTokens;
  const start = texts.findLastIndex((text) => (rest -= textTokens(text)) < 0);
  return texts.slice(start + 1);
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
  // An editor with several commands.
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
