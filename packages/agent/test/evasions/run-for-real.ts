import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Programs of the scratch folder that say that they ran, and do nothing. */
const SILENT = ['git', 'touch'];
/** Programs that say that they ran, then are what they are. */
const REAL = 'ls cat grep wc head env xargs find timeout nice nohup setsid stdbuf sh bash sed awk tee sort rm'.split(
  ' ',
);

const DEADLINE_MS = 200_000;

/** What the programs need to be found by the tests and by nothing else. */
export interface Scratch {
  /** Where the commands run. */
  readonly folder: string;
  readonly bin: string;
  readonly log: string;
}

/** Lays out a folder whose programs write into a log whenever they run. */
export async function createScratch(root: string): Promise<Scratch> {
  const scratch = { folder: join(root, 'work'), bin: join(root, 'bin'), log: join(root, 'log') };
  await mkdir(join(scratch.folder, 'sub'), { recursive: true });
  await mkdir(scratch.bin);
  await writeFile(join(scratch.folder, 'file.txt'), 'a\nb\n');
  const real = (name: string) => `exec -a ${name} "$(PATH=/usr/bin:/bin command -v ${name})" "$@"`;
  for (const name of [...SILENT, ...REAL]) {
    const file = join(scratch.bin, name);
    const body = SILENT.includes(name) ? '' : real(name);
    await writeFile(file, `#!/bin/bash -p\necho "\${CASE:-?} ${name}" >> ${scratch.log}\n${body}\n`);
    await chmod(file, 0o755);
  }
  return scratch;
}

/** Runs each command in a subshell of one bash, and gives the programs that each one started. */
export async function runForReal(commands: readonly string[], scratch: Scratch): Promise<readonly string[][]> {
  const list = `${scratch.log}.list`;
  await writeFile(list, commands.map((command) => `${command}\0`).join(''));
  await writeFile(scratch.log, '');
  const driver = `
    exec 3< "$1"; CASE=0; export CASE
    # A function that calls itself and a loop without an end are cut short.
    FUNCNEST=5; ulimit -t 1
    while IFS= read -r -d '' command <&3; do
      ( exec 3<&-; eval "$command" ) < /dev/null > /dev/null 2>&1
      CASE=$((CASE + 1))
    done`;
  const child = spawn('/bin/bash', ['--noprofile', '--norc', '-c', driver, 'driver', list], {
    cwd: scratch.folder,
    env: { PATH: scratch.bin },
    stdio: 'ignore',
    detached: true,
  });
  const stop = () => process.kill(-(child.pid ?? 0), 'SIGKILL');
  const deadline = setTimeout(stop, DEADLINE_MS);
  const [exitCode] = await once(child, 'exit');
  clearTimeout(deadline);
  if (exitCode !== 0) {
    const last = (await readFile(scratch.log, 'utf8')).trimEnd().split('\n').at(-1);
    const near = Number(last?.split(' ')[0] ?? 0);
    throw new Error(`The commands did not come to their end near ${JSON.stringify(commands.slice(near, near + 3))}.`);
  }
  const started = commands.map((): string[] => []);
  for (const line of (await readFile(scratch.log, 'utf8')).split('\n')) {
    const [index = '', program = ''] = line.split(' ');
    if (program !== '') started[Number(index)]?.push(program);
  }
  return started;
}
