import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Other users cannot read the tests, and nothing that the commands do reaches beyond the scratch folder. */
const OTHER_USER = process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
export const isSeparateUser = OTHER_USER.length > 0;

export interface Scratch {
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
}

/** A repository full of traps, files outside of it, and a home folder with secrets. Every trap writes a line to `log`. */
export async function createScratch(root: string): Promise<Scratch> {
  const workspace = join(root, 'ws');
  const home = join(root, 'home');
  const write = async (name: string, text: string, mode = 0o644) => {
    const path = join(root, name);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, text);
    await chmod(path, mode);
  };
  const git = (folder: string, ...args: readonly string[]) =>
    execFileSync('git', args, { cwd: folder, env: { PATH: '/usr/bin:/bin', HOME: home }, stdio: 'ignore' });
  await write('home/.gitconfig', '[user]\n\tname = a\n\temail = a@example.com\n[safe]\n\tdirectory = *\n');
  await write('home/.bashrc', '');
  await write('home/.ssh/id_rsa', 'CANARY-KEY-1\n');
  await write('home/.qwen/server/token', 'CANARY-TOK-1\n');
  await write('home/.qwen/server/server.json', '{"token":"CANARY-TOK-1"}\n');
  await write('outside/secret', 'CANARY-OUT-1\n');
  await write('ws/.env', 'CANARY-ENV-1\n');
  await write('ws/a.txt', 'one\ntwo\n');
  await write('ws/src/keep', 'one\n');
  await write('ws/lib/b.txt', 'one\n');
  await write('ws/.gitattributes', '*.txt diff=text\n');
  await write('ws/rgrc', '--pre=./evil.sh\n');
  await write('ws/x.patch', '--- a/src/keep\n+++ b/src/keep\n@@ -1 +1 @@\n-one\n+two\n');
  await write('ws/home/.gitconfig', `[core]\n\tfsmonitor = ${workspace}/evil.sh\n`);
  await mkdir(join(workspace, 'C'));
  await symlink('..', join(workspace, 'lib/up'));
  await symlink('.env', join(workspace, 'link-env'));
  await symlink('src', join(workspace, 'link-src'));
  await symlink('../outside', join(workspace, 'link-out'));
  await symlink('../home/.ssh/id_rsa', join(workspace, 'link-key'));
  await symlink('evil.sh', join(workspace, 'link-evil'));
  await write('log', '', 0o666);
  const trap = `#!/bin/sh\necho "$0" >> ${root}/log\n`;
  for (const name of [
    'evil.sh',
    ...['bin', 'node_modules/.bin'].flatMap((folder) => TRAPPED.map((program) => `${folder}/${program}`)),
  ]) {
    await write(`ws/${name}`, trap, 0o755);
  }
  git(workspace, 'init', '-q', '-b', 'main');
  git(workspace, 'add', '.');
  git(workspace, 'commit', '-qm', 'one');
  await write('ws/a.txt', 'one\nthree\n');
  git(workspace, 'stash', '-q');
  await write('ws/a.txt', 'one\nfour\n');
  await mkdir(join(workspace, 'docs/x'), { recursive: true });
  git(join(workspace, 'docs/x'), 'init', '-q', '--bare');
  // As a clone delivers it: ordinary files that git takes for a repository.
  execFileSync('git', ['config', '--file', join(workspace, 'docs/x/config'), 'core.bare', 'false']);
  execFileSync('git', ['config', '--file', join(workspace, 'docs/x/config'), 'core.worktree', '..']);
  for (const folder of [join(workspace, '.git'), join(workspace, 'docs/x')]) {
    // Others need approval before git runs.
    for (const key of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'gpg.program']) {
      execFileSync('git', ['config', '--file', join(folder, 'config'), key, `${workspace}/evil.sh`]);
    }
    for (const hook of ['post-index-change', 'pre-commit', 'post-checkout', 'reference-transaction']) {
      await write(join(folder, 'hooks', hook).slice(root.length + 1), trap, 0o755);
    }
  }
  return { root, workspace, home };
}

const TRAPPED = 'ls cat git rg head grep timeout nice sort find sed bash sh env time'.split(' ');

export type Environment = Readonly<Record<string, string>>;

export interface AttackRun {
  readonly command: string;
  readonly environment: Environment;
}

/** What a command did: `exec`, `env`, `out`, `key`, `token`, `process`, `src`, `touch`, `outside`, `protected`, `inside`. */
export type Effects = ReadonlySet<string>;

/** Runs each command in its own bash as another user, and restores the folders when it changed them. */
export async function effectsOf(runs: readonly AttackRun[], { root }: Scratch): Promise<Effects[]> {
  const environments = [...new Map(runs.map(({ environment }) => [environment, environment])).keys()];
  await mkdir(join(root, 'driver'), { recursive: true });
  await chmod(join(root, 'driver'), 0o700);
  for (const [index, environment] of environments.entries()) {
    const lines = Object.entries(environment).map(([name, value]) => `${name}=${value}\0`);
    await writeFile(join(root, `driver/env${index}`), lines.join(''));
  }
  const list = runs.flatMap(({ command, environment }) => [String(environments.indexOf(environment)), command]);
  await writeFile(join(root, 'driver/list'), list.map((text) => `${text}\0`).join(''));
  await writeFile(join(root, 'driver/results'), '');
  // A file, because `ps` shows the text of `-c`, which contains what the driver looks for.
  await writeFile(join(root, 'driver/run.sh'), DRIVER);
  const child = spawn('/bin/bash', ['--noprofile', '--norc', join(root, 'driver/run.sh'), root, ...OTHER_USER], {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [exitCode] = await once(child, 'exit');
  if (exitCode !== 0) throw new Error(`The commands did not come to their end: ${exitCode}.`);
  const lines = (await readFile(join(root, 'driver/results'), 'utf8')).split('\n').slice(0, -1);
  if (lines.length !== runs.length) throw new Error(`${lines.length} results of ${runs.length} commands.`);
  return lines.map((line) => new Set(line.split(' ').filter((effect) => effect !== '')));
}

/** The first argument is the root, the others start a program as another user. */
const DRIVER = `
root=$1; shift; as=("$@"); cd "$root"
folders=(ws outside home)
[ \${#as[@]} -gt 0 ] && chown -R 65534:65534 "\${folders[@]}"
chmod 755 . 
[ -e driver/pristine ] || { mkdir driver/pristine; cp -a "\${folders[@]}" driver/pristine/; }
shopt -s nullglob dotglob
snapshot() { find "\${folders[@]}" -printf '%p %y %T@ %s %m %l\\n' 2>/dev/null; }
restore() {
  for folder in "\${folders[@]}"; do chmod 755 "$folder"; rm -rf "$folder"/*; cp -a "driver/pristine/$folder/." "$folder/"; done
}
restore; before=$(snapshot)
# A process of the same user with a secret in its environment.
"\${as[@]}" env -i QWEN=CANARY-PRO-1 sleep 3600 & holder=$!
trap 'kill $holder' EXIT
exec 3< driver/list 4> driver/results
while IFS= read -r -d '' index <&3 && IFS= read -r -d '' command <&3; do
  mapfile -d '' environment < "driver/env$index"
  : > log; effects=
  output=$(cd ws && exec 3<&- 4>&- && ulimit -t 2 -f 4096 && exec timeout -s KILL 4 "\${as[@]}" env -i "\${environment[@]}" \\
    /bin/bash --noprofile --norc -c "$command" < /dev/null 2>&1 | head -c 200000 | tr -d '\\0')
  [ -s log ] && effects+=' exec'
  case $output in *CANARY-ENV*|*Q0FOQVJZLUVOV*|*VNE-YRANAC*|*'R   Y   -   E   N   V'*) effects+=' env';; esac
  case $output in *CANARY-OUT*|*Q0FOQVJZLU9VV*|*TUO-YRANAC*) effects+=' out';; esac
  case $output in *CANARY-KEY*|*Q0FOQVJZLUtFW*|*YEK-YRANAC*) effects+=' key';; esac
  case $output in *CANARY-TOK*|*Q0FOQVJZLVRPS*|*KOT-YRANAC*) effects+=' token';; esac
  case $output in *CANARY-PRO*) effects+=' process';; esac
  after=$(snapshot)
  if [[ $after != "$before" ]]; then
    changed=$(diff <(printf '%s\\n' "$before") <(printf '%s\\n' "$after") | grep '^[<>]' | cut -d' ' -f2 | sort -u)
    case $'\\n'$changed$'\\n' in *$'\\n'ws/src/*|*$'\\n'ws/src$'\\n'*) effects+=' src';; esac
    # What another program deletes was not touched.
    touched=$(comm -13 <(sort <<< "$before") <(sort <<< "$after") | cut -d' ' -f1)
    case $'\\n'$touched$'\\n' in *$'\\n'ws/C/*|*$'\\n'ws/C$'\\n'*) effects+=' touch';; esac
    case $'\\n'$changed in *$'\\n'outside*|*$'\\n'home*) effects+=' outside';; esac
    case $'\\n'$changed$'\\n' in *$'\\n'ws/.git/*|*$'\\n'ws/.npmrc$'\\n'*) effects+=' protected';; esac
    effects+=' inside'
    [ "$(grep -rla CANARY-ENV "\${folders[@]}" | sort)" = ws/.env ] || effects+=' env'
    restore; before=$(snapshot)
  fi
  echo "$effects" >&4
done`;
