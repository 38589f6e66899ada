import { spawn } from 'node:child_process';
import { AgentError } from '@qwen/protocol';
import { findProgram } from '@qwen/tools';
import type { ComposedImage } from './atoms.js';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 32 * 1024 * 1024;

const POWERSHELL = [
  'Add-Type -AssemblyName System.Windows.Forms,System.Drawing;',
  '$image = [System.Windows.Forms.Clipboard]::GetImage(); if ($null -eq $image) { exit 1 };',
  '$stream = New-Object System.IO.MemoryStream;',
  '$image.Save($stream, [System.Drawing.Imaging.ImageFormat]::Png);',
  '[Console]::Out.Write([Convert]::ToBase64String($stream.ToArray()))',
].join(' ');

/** Writes the clipboard image to stdout, possibly encoded. */
interface ClipboardProgram {
  readonly command: readonly [string, ...string[]];
  readonly encoding?: 'base64' | 'hex';
}

const OTHER_PROGRAMS: readonly ClipboardProgram[] = [
  { command: ['wl-paste', '--type', 'image/png'] },
  { command: ['xclip', '-selection', 'clipboard', '-t', 'image/png', '-o'] },
  { command: ['powershell.exe', '-NoProfile', '-Sta', '-Command', POWERSHELL], encoding: 'base64' },
];

const PROGRAMS: Readonly<Partial<Record<NodeJS.Platform, readonly ClipboardProgram[]>>> = {
  // The second is part of the system; it writes `«data PNGf89504E…»`.
  darwin: [
    { command: ['pngpaste', '-'] },
    { command: ['osascript', '-e', 'the clipboard as «class PNGf»'], encoding: 'hex' },
  ],
  win32: [{ command: ['powershell', '-NoProfile', '-Sta', '-Command', POWERSHELL], encoding: 'base64' }],
};

export interface ClipboardReading {
  readonly platform: NodeJS.Platform;
  readonly signal: AbortSignal;
}

/** Rejects with `tool_failed`. */
export async function readClipboardImage({ platform, signal }: ClipboardReading): Promise<ComposedImage> {
  for (const { command, encoding } of PROGRAMS[platform] ?? OTHER_PROGRAMS) {
    const output = await outputOf(command, signal);
    if (output === undefined || output.length === 0) continue;
    const { imageOf } = await import('./image-file.js');
    return imageOf(encoding === undefined ? output : decode(output.toString('latin1'), encoding));
  }
  throw new AgentError('tool_failed', 'The clipboard contains no image, or no program to read it is installed.');
}

function decode(text: string, encoding: 'base64' | 'hex'): Buffer {
  return encoding === 'base64'
    ? Buffer.from(text, 'base64')
    : Buffer.from(/PNGf([\da-f]*)/i.exec(text)?.[1] ?? '', 'hex');
}

/** Undefined when the program is missing, fails or does not end in time. */
function outputOf(
  [program, ...args]: readonly [string, ...string[]],
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  const file = findProgram(program);
  if (file === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: TIMEOUT_MS, signal });
    const chunks: Buffer[] = [];
    let bytes = 0;
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 && bytes <= MAX_BYTES ? Buffer.concat(chunks) : undefined));
    child.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BYTES) chunks.push(chunk);
      else child.kill();
    });
  });
}
