import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync } from 'node:fs';
import { chmod, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Programs of the scratch folder that say that they ran, and do nothing. */
const SILENT = ['git', 'touch'];
/** Programs that say that they ran, then are what they are. */
const REAL = 'ls cat grep wc head env xargs find timeout nice nohup setsid stdbuf sh bash sed awk tee sort rm'.split(
  ' ',
);
const SYSTEM_FOLDERS = ['/usr/bin', '/bin'];

const DEADLINE_MS = 200_000;
/** The commands are shared out among as many shells. */
const SHELLS = 2;
const LONG_AGO = new Date('2001-01-01');

/** The folders in which only the tests find the programs. */
export interface Scratch {
  /** Where commands are judged, and where the first shell runs them; the other shells have a folder like it. */
  readonly folder: string;
  readonly folders: readonly string[];
  readonly bin: string;
  readonly log: string;
}

/**
 * Lays out folders whose programs write into a log whenever they run. The file that is to be touched is an old folder:
 * no redirection changes it, and the `touch` of the system, by whatever path it was reached, makes it new.
 */
export async function createScratch(root: string): Promise<Scratch> {
  const folders = Array.from({ length: SHELLS }, (_, index) => join(root, `work${index}`));
  const [folder = root] = folders;
  const scratch = { folder, folders, bin: join(root, 'bin'), log: join(root, 'log') };
  for (const work of folders) {
    for (const old of ['C', 'sub/C']) {
      await mkdir(join(work, old), { recursive: true });
      await utimes(join(work, old), LONG_AGO, LONG_AGO);
    }
    await writeFile(join(work, 'file.txt'), 'a\nb\n');
  }
  await writeFile(join(root, 'stamp'), '');
  await utimes(join(root, 'stamp'), LONG_AGO, LONG_AGO);
  await mkdir(scratch.bin);
  for (const name of [...SILENT, ...REAL]) {
    const file = join(scratch.bin, name);
    const body = SILENT.includes(name) ? '' : `exec ${systemProgram(name)} "$@"`;
    await writeFile(file, `#!/bin/sh\necho "\${CASE:-?} ${name}" >> ${scratch.log}\n${body}\n`);
    await chmod(file, 0o755);
  }
  return scratch;
}

function systemProgram(name: string): string {
  const found = SYSTEM_FOLDERS.map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file);
      return true;
    } catch {
      return false;
    }
  });
  return found ?? name;
}

/** The programs of each command, and those of commands that hid their number. */
export interface Started {
  readonly byCommand: readonly string[][];
  readonly unknown: readonly string[];
}

/** Runs each command in a subshell. Returns the programs that it started. */
export async function runForReal(commands: readonly string[], scratch: Scratch): Promise<Started> {
  await writeFile(scratch.log, '');
  const size = Math.ceil(commands.length / SHELLS);
  await Promise.all(
    scratch.folders.map((folder, index) => {
      const first = index * size;
      return runShell({ commands: commands.slice(first, first + size), first, folder, scratch });
    }),
  );
  const started = { byCommand: commands.map((): string[] => []), unknown: [] as string[] };
  for (const line of (await readFile(scratch.log, 'utf8')).split('\n')) {
    const [index = '', program = ''] = line.split(' ');
    if (program !== '') (started.byCommand[Number(index)] ?? started.unknown).push(program);
  }
  return started;
}

/** The commands in `$1`, numbered from `$2`; the log is `$3`. */
const DRIVER = `
  exec 3< "$1"; CASE=$2; export CASE; log=$3
  # A function that calls itself and loops without an end are cut short: by calls, by commands, by time.
  FUNCNEST=5; set -T; steps=0
  while IFS= read -r -d '' command <&3; do
    ( exec 3<&-; ulimit -t 1; trap '((steps++ < 200)) || exit' DEBUG; eval "$command" ) < /dev/null > /dev/null 2>&1
    for touched in C sub/C; do
      if [[ $touched -nt ../stamp ]]; then
        echo "$CASE touch" >> "$log"; PATH=/usr/bin:/bin touch -r ../stamp "$touched"
      fi
    done
    CASE=$((CASE + 1))
  done`;

interface ShellRun {
  readonly commands: readonly string[];
  /** The number of the first command. */
  readonly first: number;
  readonly folder: string;
  readonly scratch: Scratch;
}

async function runShell({ commands, first, folder, scratch }: ShellRun): Promise<void> {
  const list = `${folder}.list`;
  await writeFile(list, commands.map((command) => `${command}\0`).join(''));
  const args = ['--noprofile', '--norc', '-c', DRIVER, 'driver', list, String(first), scratch.log];
  const child = spawn('/bin/bash', args, { cwd: folder, env: { PATH: scratch.bin }, stdio: 'ignore', detached: true });
  const deadline = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), DEADLINE_MS);
  const [exitCode] = await once(child, 'exit');
  clearTimeout(deadline);
  if (exitCode !== 0) throw new Error(`The commands from number ${first} on did not come to their end.`);
}
