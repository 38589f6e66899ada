import { spawn } from 'node:child_process';
import { AgentError } from '@qwen/protocol';
import { findProgram } from '@qwen/tools';
import type { Clipboard } from '../host/system-access.js';

const TIMEOUT_MS = 5_000;

/** Programs that read stdin, in the order of attempts. */
const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly (readonly string[])[]>>> = {
  darwin: [['pbcopy']],
  win32: [['clip']],
};
const OTHER_PROGRAMS = [
  ['wl-copy'],
  ['xclip', '-selection', 'clipboard'],
  ['xsel', '--clipboard', '--input'],
  ['clip.exe'],
];

export function systemClipboard(platform: NodeJS.Platform = process.platform): Clipboard {
  return {
    async copy(text) {
      for (const [program = '', ...args] of PROGRAMS[platform] ?? OTHER_PROGRAMS) {
        if (await takes({ program, args, text })) return;
      }
      throw new AgentError('tool_failed', 'No clipboard program found. Install wl-copy, xclip or xsel.');
    },
  };
}

interface Copying {
  readonly program: string;
  readonly args: readonly string[];
  readonly text: string;
}

/** Resolves with false if the program is missing, fails or times out. */
function takes({ program, args, text }: Copying): Promise<boolean> {
  const file = findProgram(program);
  if (file === undefined) return Promise.resolve(false);
  return new Promise((resolve) => {
    // Ignores stdout and stderr: some programs keep running while they own the clipboard.
    const child = spawn(file, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: TIMEOUT_MS });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
