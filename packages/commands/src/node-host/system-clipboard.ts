import { spawn } from 'node:child_process';
import { closeSync, constants, openSync, writeSync } from 'node:fs';
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

export interface ClipboardPlace {
  readonly platform?: NodeJS.Platform;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** The terminal of the process. */
  readonly terminal?: string;
}

/** Base64 characters of a sequence that common terminals accept. */
const MAX_SEQUENCE_LENGTH = 100_000;

/**
 * The clipboard of the machine, or of the terminal: through tmux, or with OSC 52. Over ssh, the terminal comes first,
 * because the programs of this machine would fill a clipboard that the user does not see.
 */
export function systemClipboard(place: ClipboardPlace = {}): Clipboard {
  const { platform = process.platform, environment = process.env, terminal = '/dev/tty' } = place;
  const isRemote = environment['SSH_CONNECTION'] !== undefined || environment['SSH_TTY'] !== undefined;
  const programs = PROGRAMS[platform] ?? OTHER_PROGRAMS;
  const tmux = environment['TMUX'] === undefined ? [] : [['tmux', 'load-buffer', '-w', '-']];
  return {
    async copy(text) {
      if (!isRemote && (await takesOne(programs, text))) return 'clipboard';
      if (platform !== 'win32') {
        if (await takesOne(tmux, text)) return 'terminal';
        if (sendToTerminal(text, { terminal, environment })) return 'terminal';
      }
      if (isRemote && (await takesOne(programs, text))) return 'clipboard';
      throw new AgentError('tool_failed', 'No clipboard was found. Install wl-copy, xclip or xsel, or use /export.');
    },
  };
}

async function takesOne(programs: readonly (readonly string[])[], text: string): Promise<boolean> {
  for (const [program = '', ...args] of programs) if (await takes({ program, args, text })) return true;
  return false;
}

/** Throws `tool_failed` if the text is too long. False without a terminal. */
function sendToTerminal(text: string, { terminal, environment }: Required<Omit<ClipboardPlace, 'platform'>>): boolean {
  if (environment['TERM'] === 'dumb' || environment['TERM'] === 'linux') return false;
  let descriptor: number;
  try {
    descriptor = openSync(terminal, constants.O_WRONLY | constants.O_NOCTTY);
  } catch {
    return false;
  }
  try {
    const data = Buffer.from(text).toString('base64');
    if (data.length > MAX_SEQUENCE_LENGTH) {
      const message = `A terminal does not take ${text.length} characters for its clipboard. Use /export to write a file.`;
      throw new AgentError('tool_failed', message);
    }
    // Complete, and synchronous like the frames of the screen, so that they do not mix.
    writeSync(descriptor, clipboardSequence(data, environment));
    return true;
  } finally {
    closeSync(descriptor);
  }
}

function clipboardSequence(data: string, environment: Readonly<Record<string, string | undefined>>): string {
  const sequence = `\u001b]52;c;${data}\u0007`;
  // tmux without load-buffer -w, and GNU screen, pass it on only in their own sequences.
  if (environment['TMUX'] !== undefined) return `\u001bPtmux;${sequence.replaceAll('\u001b', '\u001b\u001b')}\u001b\\`;
  return environment['STY'] === undefined ? sequence : `\u001bP${sequence}\u001b\\`;
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
