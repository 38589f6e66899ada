import { relative, resolve } from 'node:path';
import type {
  ToolKind as AcpToolKind,
  ToolCallContent,
  ToolCallLocation,
  ToolCallUpdate,
} from '@agentclientprotocol/sdk';
import type { ToolDisplay, ToolOutcome, ToolPreview } from '@qwen/agent';
import {
  type BuiltinToolName,
  type ContentBlock,
  escapeHidden,
  findBuiltinTool,
  isJsonObject,
  TOOL_TABLE,
  type ToolKind,
} from '@qwen/protocol';

export interface ShownCall {
  readonly name: string;
  readonly input: unknown;
  readonly kind?: ToolKind;
}

const BUILTIN_KINDS: Readonly<Record<BuiltinToolName, AcpToolKind>> = {
  read_file: 'read',
  read_many_files: 'read',
  write_file: 'edit',
  edit: 'edit',
  list_directory: 'search',
  glob: 'search',
  grep_search: 'search',
  run_shell_command: 'execute',
  task_output: 'read',
  task_stop: 'execute',
  web_fetch: 'fetch',
  web_search: 'fetch',
  todo_write: 'think',
  ask_user_question: 'other',
  exit_plan_mode: 'switch_mode',
  task: 'think',
  skill: 'read',
};

const KINDS: Readonly<Record<ToolKind, AcpToolKind>> = {
  read: 'read',
  edit: 'edit',
  execute: 'execute',
  network: 'fetch',
  other: 'other',
};

const MAX_TITLE_LENGTH = 200;

/** Title, kind, places and input of a call, as editors show them. */
export function describeCall({ name, input, kind = 'other' }: ShownCall, cwd: string) {
  const own = findBuiltinTool(name);
  return {
    title: titleOf(name, input, cwd),
    name,
    kind: own === undefined ? KINDS[kind] : BUILTIN_KINDS[own],
    locations: placesOf(input, cwd),
    rawInput: input,
  };
}

export function isBuiltin(name: string, expected: BuiltinToolName): boolean {
  return findBuiltinTool(name) === expected;
}

function titleOf(name: string, input: unknown, cwd: string): string {
  const own = findBuiltinTool(name);
  const members = isJsonObject(input) ? input : {};
  const subject = own === 'run_shell_command' ? members['command'] : subjectOf(members, cwd);
  const words = typeof subject === 'string' ? subject : '';
  if (own === undefined) return shorten(words === '' ? name : `${name}: ${words}`);
  if (own === 'run_shell_command' && words !== '') return shorten(words);
  return shorten(`${TOOL_TABLE[own].title} ${words}`.trim());
}

/** The most informative member of an input. */
function subjectOf(members: Readonly<Record<string, unknown>>, cwd: string): string {
  const path = members['file_path'] ?? members['path'];
  const parts = [members['pattern'], members['description'], members['url'], members['query']].filter(
    (part) => typeof part === 'string',
  );
  if (typeof path === 'string') parts.push(shownPath(path, cwd));
  if (Array.isArray(members['paths'])) parts.push(members['paths'].slice(0, 3).join(', '));
  return parts.join(' ');
}

function shownPath(path: string, cwd: string): string {
  const inside = relative(cwd, resolve(cwd, path));
  if (inside === '') return '.';
  return inside.startsWith('..') ? path : inside;
}

function shorten(text: string): string {
  const line = escapeHidden(text.replaceAll(/\s*\n\s*/g, ' '));
  return line.length > MAX_TITLE_LENGTH ? `${line.slice(0, MAX_TITLE_LENGTH - 1)}…` : line;
}

function placesOf(input: unknown, cwd: string): ToolCallLocation[] {
  if (!isJsonObject(input)) return [];
  const { file_path: file, path, paths, offset } = input;
  const named = [file ?? path, ...(Array.isArray(paths) ? paths : [])].filter((one) => typeof one === 'string');
  return named.map((one) => ({
    path: resolve(cwd, one),
    ...(typeof offset === 'number' && Number.isInteger(offset) && offset > 0 && { line: offset }),
  }));
}

export function previewContent(preview: ToolPreview, cwd: string): ToolCallContent[] {
  switch (preview.type) {
    case 'edit':
      return [changeContent(preview, cwd)];
    case 'plan':
      return [textContent(preview.plan)];
    case 'info':
      return preview.prompt === '' ? [] : [textContent(preview.prompt)];
    case 'exec':
    case 'mcp':
      return [];
  }
}

/** The end of a call: what it changed, or its result. */
export function outcomeUpdate(outcome: ToolOutcome, cwd: string): ToolCallUpdate {
  const { callId, isError, display, content } = outcome;
  const shown = isError ? [] : displayContent(display, cwd);
  return {
    toolCallId: callId,
    status: isError ? 'failed' : 'completed',
    content: shown.length > 0 ? shown : resultContent(content),
  };
}

function displayContent(display: ToolDisplay | undefined, cwd: string): ToolCallContent[] {
  if (display?.kind === 'diff') return [changeContent(display, cwd)];
  if (display?.kind === 'text') return [textContent(display.text)];
  if (display?.kind === 'plan') return [textContent(display.plan)];
  return [];
}

interface ShownChange {
  readonly path: string;
  readonly diff: string;
  readonly original?: string;
  readonly modified?: string;
}

/** Large files come without their texts. */
function changeContent({ path, diff, original, modified }: ShownChange, cwd: string): ToolCallContent {
  if (modified === undefined) return textContent(`\`\`\`diff\n${diff}\n\`\`\``);
  return { type: 'diff', path: resolve(cwd, path), oldText: original || null, newText: modified };
}

function resultContent(content: ToolOutcome['content']): ToolCallContent[] {
  if (typeof content === 'string') return content === '' ? [] : [textContent(content)];
  return content.flatMap(toContent);
}

function toContent(block: ContentBlock): ToolCallContent[] {
  if (block.type === 'text') return [textContent(block.text)];
  if (block.type !== 'image' || block.source.type !== 'base64') return [];
  const { data, media_type: mimeType } = block.source;
  return [{ type: 'content', content: { type: 'image', data, mimeType } }];
}

export function textContent(text: string): ToolCallContent {
  return { type: 'content', content: { type: 'text', text } };
}

/** The change of a stored call, whose files may have changed since. */
export function storedChanges(name: string, input: unknown, cwd: string): ToolCallContent[] {
  if (!isJsonObject(input) || typeof input['file_path'] !== 'string') return [];
  const path = resolve(cwd, input['file_path']);
  const own = findBuiltinTool(name);
  if (own === 'write_file' && typeof input['content'] === 'string') {
    return [{ type: 'diff', path, oldText: null, newText: input['content'] }];
  }
  if (own !== 'edit') return [];
  const edits = Array.isArray(input['edits']) ? input['edits'] : [input];
  return edits.flatMap((edit: unknown): ToolCallContent[] => {
    if (!isJsonObject(edit)) return [];
    const { old_string: oldText, new_string: newText } = edit;
    return typeof oldText === 'string' && typeof newText === 'string' ? [{ type: 'diff', path, oldText, newText }] : [];
  });
}
