import { spawn } from 'node:child_process';
import { AgentError } from '@qwen/protocol';
import type { Clipboard } from '../host/outside.js';

const TIMEOUT_MS = 5_000;

/** Programs that take what is to be copied on stdin, in the order in which they are tried. */
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

/** The clipboard of this machine, by the program that it brings for that. */
export function systemClipboard(platform: NodeJS.Platform = process.platform): Clipboard {
  return {
    async copy(text) {
      for (const [program = '', ...args] of PROGRAMS[platform] ?? OTHER_PROGRAMS) {
        if (await takes({ program, args, text })) return;
      }
      throw new AgentError('tool_failed', 'This machine has no clipboard that can be reached from here.');
    },
  };
}

interface Copying {
  readonly program: string;
  readonly args: readonly string[];
  readonly text: string;
}

/** True when the program took the text; false when it is not there, failed, or did not end. */
function takes({ program, args, text }: Copying): Promise<boolean> {
  return new Promise((resolve) => {
    // Nothing of ours is inherited but stdin: some of these stay behind as long as they own the clipboard.
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'ignore'], timeout: TIMEOUT_MS });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
    child.stdin.on('error', () => undefined);
    child.stdin.end(text);
  });
}
