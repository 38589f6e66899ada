import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { findProgram } from '@qwen/tools';
import { stopReading } from '../screen/suspend.js';

/**
 * Edits the text in the user's editor, which owns the terminal until it exits. The temporary file is readable only
 * by the user and deleted afterwards; no shell is involved. Rejects with `tool_failed`.
 */
export async function editExternally(text: string, editor: string): Promise<string> {
  const [program, ...args] = commandWords(editor);
  if (program === undefined) throw new AgentError('tool_failed', 'The editor setting is empty.');
  const folder = await mkdtemp(join(tmpdir(), 'qwen-'));
  try {
    const path = join(folder, 'prompt.md');
    await writeFile(path, text, { mode: 0o600 });
    await run(program, [...args, path]);
    // Editors append a final line end.
    const edited = (await readFile(path, 'utf8')).replaceAll('\r\n', '\n');
    return text.endsWith('\n') ? edited : edited.replace(/\n$/, '');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export function commandWords(command: string): readonly string[] {
  const words = command.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+|["']/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

export function defaultEditor(platform: NodeJS.Platform): string {
  return platform === 'win32' ? 'notepad' : 'vi';
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const file = findProgram(program);
  if (file === undefined) {
    const advice = 'Use an editor on the PATH outside the project, or its absolute path.';
    throw failure(`The editor ${program} was not found. ${advice}`);
  }
  await stopReading();
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: 'inherit' });
    child.once('error', (cause) => reject(failure(`The editor ${program} could not be started.`, cause)));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(failure(`The editor ${program} ended with ${signal ?? `exit code ${code}`}; the text is unchanged.`));
    });
  });
}

function failure(message: string, cause?: Error): AgentError {
  return new AgentError('tool_failed', message, { cause });
}
