import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuiltinToolName, isJsonObject, TOOL_TABLE } from '@qwen/protocol';
import { toShownInOne } from '../lines/shown-text.js';

export interface CallWords {
  readonly title: string;
  readonly argument: string;
}

type ArgumentOf = (input: Members, folder: string | undefined) => string;

type Members = Readonly<Record<string, unknown>>;

const ARGUMENTS: Readonly<Record<BuiltinToolName, ArgumentOf>> = {
  read_file: ({ file_path: path }, folder) => toShortPath(path, folder),
  read_many_files: ({ paths }, folder) =>
    listOf(paths)
      .map((path) => toShortPath(path, folder))
      .join(', '),
  write_file: ({ file_path: path }, folder) => toShortPath(path, folder),
  edit: ({ file_path: path }, folder) => toShortPath(path, folder),
  list_directory: ({ path }, folder) => toShortPath(path, folder),
  glob: ({ pattern, path }, folder) => within(pattern, toShortPath(path, folder)),
  grep_search: ({ pattern, path, glob }, folder) => within(pattern, toShortPath(path ?? glob, folder)),
  run_shell_command: ({ command }) => textOf(command),
  task_output: ({ task_id: id, pattern }) => within(pattern ?? id, pattern === undefined ? '' : textOf(id)),
  task_stop: ({ task_id: id }) => textOf(id),
  web_fetch: ({ url }) => textOf(url),
  web_search: ({ query }) => textOf(query),
  todo_write: () => '',
  ask_user_question: ({ questions }) => textOf(membersOf(listOf(questions)[0])['question']),
  exit_plan_mode: () => '',
  task: ({ subagent_type: agent, description }) =>
    [agent, description]
      .map(textOf)
      .filter((text) => text !== '')
      .join(': '),
  skill: ({ skill, args }) =>
    [skill, args]
      .map(textOf)
      .filter((text) => text !== '')
      .join(': '),
};

const SERVER_TOOL = /^mcp__(.+?)__(.+)$/s;
const MAX_LENGTH = 1_000;

export function callWords(name: string, input: unknown, folder?: string): CallWords {
  const isKnown = isBuiltin(name);
  const argument = isKnown ? ARGUMENTS[name](membersOf(input), folder) : jsonOf(input);
  return {
    title: isKnown ? TOOL_TABLE[name].title : foreignTitle(name),
    argument: toShownInOne(argument.slice(0, MAX_LENGTH)),
  };
}

/** The file or address that a call is about, for a link. `folder` is absolute. */
export function callTarget(name: string, input: unknown, folder = ''): string | undefined {
  const { file_path: path, url } = membersOf(input);
  if (name === TOOL_TABLE.web_fetch.name && typeof url === 'string') return url;
  if (!isBuiltin(name) || typeof path !== 'string' || path === '') return undefined;
  return pathToFileURL(resolve(folder, path)).href;
}

export function toolTitle(name: string): string {
  return callWords(name, undefined).title;
}

function toShortPath(path: unknown, folder: string | undefined): string {
  const text = textOf(path);
  if (folder === undefined || !text.startsWith(folder)) return text;
  const rest = text.slice(folder.length);
  if (rest === '') return '.';
  return /^[/\\]./.test(rest) ? rest.slice(1) : text;
}

function isBuiltin(name: string): name is BuiltinToolName {
  return Object.hasOwn(TOOL_TABLE, name);
}

function foreignTitle(name: string): string {
  const parts = SERVER_TOOL.exec(name);
  return toShownInOne(parts === null ? name : `${parts[1]} › ${parts[2]}`);
}

function within(pattern: unknown, place: string): string {
  return place === '' ? textOf(pattern) : `${textOf(pattern)} in ${place}`;
}

function jsonOf(input: unknown): string {
  const members = membersOf(input);
  return Object.keys(members).length === 0 ? '' : JSON.stringify(members);
}

function membersOf(value: unknown): Members {
  return isJsonObject(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
