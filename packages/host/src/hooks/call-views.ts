import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  AgentError,
  canonicalToolName,
  defined,
  findBuiltinTool,
  isJsonObject,
  type JsonObject,
  toolNameKey,
} from '@qwen/protocol';

export interface CallView {
  readonly name: string;
  readonly input: unknown;
}

interface ViewedCall {
  readonly toolName: string;
  readonly input: unknown;
}

/** Members with a path. Guards of other programs compare absolute paths. */
const PATH_MEMBERS = ['file_path', 'path'] as const;
/** May match files of other names. */
const PATTERN = /[*?[\]{}()!\\]/;

/**
 * The views of a call for a guard that calls the tool `name`: one, or one per file if the guard's tool takes one file
 * and this one many. Throws `hook_failed` if the guard could not judge the call.
 */
export async function viewsOf(call: ViewedCall, name: string, cwd: string): Promise<readonly CallView[]> {
  const { toolName, input } = call;
  const isBuiltin = findBuiltinTool(toolName) !== undefined;
  if (name === toolName || !isBuiltin || !isJsonObject(input)) return [{ name, input }];
  if (toolName === 'read_many_files' && canonicalToolName(name) !== toolName) return fileViews(input, name, cwd);
  if (toolName === 'edit') {
    const views = await changeViews(input, name, cwd);
    if (views !== undefined) return views;
  }
  const viewed = { ...withAbsolutePaths(input, cwd), ...withFolder(input, cwd) };
  return [{ name, input: viewOfInput(toolName, name, viewed) }];
}

/** The changed input of a view as input of the tool; undefined if it is unchanged. Throws `hook_failed`. */
export function toOwnInput(changed: JsonObject, view: CallView, call: ViewedCall): JsonObject | undefined {
  if (isDeepStrictEqual(changed, view.input)) return undefined;
  if (view.name === call.toolName || !isJsonObject(view.input)) return changed;
  if (call.toolName === 'read_many_files') {
    throw new AgentError('hook_failed', `it changed the input of ${view.name}, but the call reads several files`);
  }
  if (call.toolName === 'run_shell_command') return toOwnCommand(changed, view.input);
  const { edits, content, ...rest } = changed;
  if (call.toolName !== 'edit') return changed;
  if (isJsonObject(call.input) && ('edits' in call.input || 'patch' in call.input)) {
    throw new AgentError('hook_failed', `it changed the input of ${view.name}, but the call makes several changes`);
  }
  if (!isDeepStrictEqual(edits, view.input['edits'])) {
    throw new AgentError('hook_failed', 'it changed edits; change old_string and new_string of Edit instead');
  }
  return 'content' in view.input ? { ...rest, old_string: '', new_string: content } : defined({ ...rest, content });
}

async function fileViews({ paths }: JsonObject, name: string, cwd: string): Promise<readonly CallView[]> {
  const files = Array.isArray(paths) ? paths.map(String) : [];
  return Promise.all(
    files.map(async (file) => {
      const path = resolve(cwd, file);
      const stats = await stat(path).catch(() => undefined);
      if (stats?.isDirectory() === true || (stats === undefined && PATTERN.test(file))) {
        throw new AgentError(
          'hook_failed',
          `it checks one file per call, and ${JSON.stringify(file)} is a folder or a pattern. Name the files.`,
        );
      }
      return { name, input: { file_path: path } };
    }),
  );
}

/** One view per change of a call with several; undefined for a single change. */
async function changeViews({ file_path: file, edits, patch }: JsonObject, name: string, cwd: string) {
  if (typeof patch === 'string') {
    const { readPatch } = await import('@qwen/tools');
    const changes = readPatch(patch).flatMap((patched) => {
      const paths =
        'moveTo' in patched && patched.moveTo !== undefined ? [patched.path, patched.moveTo] : [patched.path];
      const texts =
        patched.type === 'update' && patched.hunks.length > 0
          ? patched.hunks.map(({ oldText, newText }) => ({ old_string: oldText, new_string: newText }))
          : [{ old_string: '', new_string: patched.type === 'add' ? patched.text : '' }];
      return paths.flatMap((path) => texts.map((text) => ({ file_path: resolve(cwd, path), ...text })));
    });
    return changes.map((change) => ({ name, input: viewOfInput('edit', name, change) }));
  }
  if (!Array.isArray(edits) || typeof file !== 'string') return undefined;
  const path = resolve(cwd, file);
  if (toolNameKey(name) === 'multiedit') return [{ name, input: { file_path: path, edits } }];
  return edits
    .filter(isJsonObject)
    .map((edit) => ({ name, input: viewOfInput('edit', name, { file_path: path, ...edit }) }));
}

function withAbsolutePaths(input: JsonObject, cwd: string): JsonObject {
  const paths = PATH_MEMBERS.flatMap((member) => {
    const path = input[member];
    return typeof path === 'string' ? [[member, resolve(cwd, path)]] : [];
  });
  return { ...input, ...Object.fromEntries(paths) };
}

function withFolder({ command, directory }: JsonObject, cwd: string): JsonObject {
  if (typeof directory !== 'string' || typeof command !== 'string') return {};
  return { command: `cd '${resolve(cwd, directory).replaceAll("'", "'\\''")}' && ${command}`, directory: undefined };
}

function viewOfInput(toolName: string, name: string, input: JsonObject): JsonObject {
  const { old_string: before, new_string: after, replace_all: isAll, ...rest } = input;
  if (toolName === 'edit' && canonicalToolName(name) === 'write_file') return { ...rest, content: after };
  if (toolName === 'edit' && toolNameKey(name) === 'multiedit') {
    const edit = defined({ old_string: before, new_string: after, replace_all: isAll });
    return { ...input, edits: [edit] };
  }
  if (toolName === 'run_shell_command' && 'is_background' in input) {
    return defined({ ...input, run_in_background: input['is_background'] });
  }
  if (toolName === 'ask_user_question' && Array.isArray(input['questions'])) {
    return { ...input, questions: input['questions'].map(toWholeQuestion) };
  }
  return defined(input);
}

function toOwnCommand({ run_in_background: isBackground, ...changed }: JsonObject, viewed: JsonObject): JsonObject {
  return isBackground === viewed['run_in_background'] ? changed : defined({ ...changed, is_background: isBackground });
}

/** Apps written for the other tool read these members without a check. */
function toWholeQuestion(question: unknown): unknown {
  if (!isJsonObject(question)) return question;
  const { options } = question;
  const whole =
    Array.isArray(options) &&
    options.map((option: unknown) => (isJsonObject(option) ? { description: '', ...option } : option));
  return { header: '', multiSelect: false, ...question, ...(whole !== false && { options: whole }) };
}
