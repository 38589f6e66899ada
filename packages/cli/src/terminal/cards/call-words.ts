import type { BuiltinToolName } from '@qwen/tools';
import { toShownInOne } from '../lines/shown-text.js';

/** A call in words: what is done, and to what. Both may be shown as they are. */
export interface CallWords {
  readonly title: string;
  /** Empty where there is nothing to tell. */
  readonly argument: string;
}

interface WordsOfTool {
  readonly title: string;
  readonly argument: (input: Members, folder: string | undefined) => string;
}

type Members = Readonly<Record<string, unknown>>;

const BUILTIN: Readonly<Record<BuiltinToolName, WordsOfTool>> = {
  read_file: { title: 'Read', argument: ({ file_path: path }, folder) => toShortPath(path, folder) },
  read_many_files: {
    title: 'Read',
    argument: ({ paths }, folder) =>
      listOf(paths)
        .map((path) => toShortPath(path, folder))
        .join(', '),
  },
  write_file: { title: 'Write', argument: ({ file_path: path }, folder) => toShortPath(path, folder) },
  edit: { title: 'Edit', argument: ({ file_path: path }, folder) => toShortPath(path, folder) },
  list_directory: { title: 'List', argument: ({ path }, folder) => toShortPath(path, folder) },
  glob: { title: 'Find', argument: ({ pattern, path }, folder) => within(pattern, toShortPath(path, folder)) },
  grep_search: {
    title: 'Search',
    argument: ({ pattern, path, glob }, folder) => within(pattern, toShortPath(path ?? glob, folder)),
  },
  run_shell_command: { title: 'Run', argument: ({ command }) => textOf(command) },
  todo_write: { title: 'Todo list', argument: () => '' },
  ask_user_question: { title: 'Ask', argument: ({ questions }) => textOf(membersOf(listOf(questions)[0])['question']) },
  exit_plan_mode: { title: 'Plan', argument: () => '' },
  task: {
    title: 'Agent',
    argument: ({ subagent_type: agent, description }) =>
      [agent, description]
        .map(textOf)
        .filter((text) => text !== '')
        .join(': '),
  },
};

const SERVER_TOOL = /^mcp__(.+?)__(.+)$/s;
/** Of an input that we know nothing about so much is read, in UTF-16 units. */
const MAX_LENGTH = 1_000;

/** What a call does, for people. The input is whatever the model gave. */
export function callWords(name: string, input: unknown, folder?: string): CallWords {
  const words = isBuiltin(name) ? BUILTIN[name] : undefined;
  const argument = words === undefined ? jsonOf(input) : words.argument(membersOf(input), folder);
  return { title: words?.title ?? foreignTitle(name), argument: toShownInOne(argument.slice(0, MAX_LENGTH)) };
}

/** The name of a tool, for people. */
export function toolTitle(name: string): string {
  return callWords(name, undefined).title;
}

/** A path as people read it: from the folder that they work in, where it lies there. */
function toShortPath(path: unknown, folder: string | undefined): string {
  const text = textOf(path);
  if (folder === undefined || !text.startsWith(folder)) return text;
  const rest = text.slice(folder.length);
  if (rest === '') return '.';
  return /^[/\\]./.test(rest) ? rest.slice(1) : text;
}

function isBuiltin(name: string): name is BuiltinToolName {
  return Object.hasOwn(BUILTIN, name);
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
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
