import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

/** Rules that a careless user may have. */
const CARELESS = [
  'Bash(git *)',
  'Bash(echo:*)',
  'Bash(find:*)',
  'Bash(rg:*)',
  'Bash(sort:*)',
  'Bash(tar:*)',
  'Bash(env:*)',
];

const judged = (command: string, mode: 'default' | 'auto-edit' = 'default') =>
  decide({ mode, rules: ruleSet({ allow: CARELESS }), call: runs(command) });
const letThrough = (commands: readonly string[]) => commands.filter((command) => judged(command).behavior !== 'ask');

test.each<[row: string, commands: readonly string[]]>([
  [
    'S1',
    [
      'git status && touch C',
      'git status; touch C',
      'git status || touch C',
      'git status & touch C',
      'git status | sh',
    ],
  ],
  [
    'S2',
    [
      'git status\ntouch C',
      'git status\r\ntouch C',
      'git status\ftouch C',
      'git status\u2028touch C',
      'git status\0touch C',
      'git status <<END\nx\nEND\ntouch C',
    ],
  ],
  [
    'S3',
    [
      'git status $(touch C)',
      'git status `touch C`',
      'git status "$(touch C)"',
      'echo "a $(echo "b $(echo $(touch C))")"',
    ],
  ],
  ['S4', ['git diff <(touch C)', 'git log > >(touch C)']],
  [
    'S5',
    [
      "echo $[ x='a[$(touch C)]', x ]",
      "[[ -v 'a[$(touch C)]' ]]",
      "test -v 'a[$(touch C)]'",
      "printf -v 'a[$(touch C)]' x",
      "printf '%n' 'a[$(touch C)]'",
      'echo $((a[$(touch C)]))',
    ],
  ],
  [
    'S6',
    ['echo ${x@P}', 'echo ${!v}', 'echo ${x:=$(touch C)}', 'echo ${one="$"}${two="$one(touch C)"}${two@P}', 'echo $@'],
  ],
  [
    'S7',
    [
      'rg x$IFS--pre=sh',
      "r''m -rf x",
      String.raw`\rm x`,
      String.raw`$'\x72m' x`,
      '{rm,-rf,x}',
      "g'i't log",
      'git {log,push}',
    ],
  ],
  [
    'S8',
    [
      "GIT_PAGER='touch C' git log",
      'LD_PRELOAD=./x.so git status',
      'PATH=.:$PATH git status',
      'BASH_ENV=x git log',
      'X=1; git log',
    ],
  ],
  [
    'S9',
    [
      "export PAGER='touch C'; git log",
      "alias git='touch C'; git",
      'git() { touch C; }; git status',
      'typeset x; git log',
      'enable -f x y',
      "trap 'touch C' DEBUG; git log",
      'hash -p ./x git; git log',
    ],
  ],
  [
    'S10',
    [
      'env touch C',
      'env git status',
      'command touch C',
      'command -p git status',
      'command -pv git',
      'exec touch C',
      "eval 'touch C'",
      'nohup touch C',
      'timeout 5 touch C',
      'nice touch C',
      'xargs -t touch',
      'sudo git status',
      'busybox sh -c x',
      "sh -c 'git status'",
      "script -c 'touch C'",
      'setsid touch C',
    ],
  ],
  [
    'S11',
    [
      'find . -exec touch C \\;',
      'find . -execdir touch C \\;',
      'find . -ok touch C \\;',
      'find . -delete',
      'find . -fprint C',
      'find . -fls C',
    ],
  ],
  [
    'S12',
    [
      "git -c core.pager='touch C' log",
      // These start git in submodules, whose configuration may name a filter.
      'git describe --always --dirty',
      'git describe --broken',
      'git status --ignore-submodules=none',
      'git diff --submodule=diff',
      'git diff --submodule --ignore-submodules=none',
      'git log -p --ignore-submodules=untracked',
      'git -c core.fsmonitor=x status',
      "git -c alias.x='!touch C' x",
      'git fetch --upload-pack=x',
      'git fetch --upload-pa=x',
      'git diff --ext-diff',
      'git diff --output=C',
      'git diff --out=C',
      'git grep -Osh x',
      'git -C /other log',
      'git --exec-path=. log',
    ],
  ],
  [
    'S13',
    [
      "sed 's/x/y/e' a",
      "sed -n 'w C' a",
      'sed -i s/a/b/ a',
      'awk \'BEGIN{system("touch C")}\'',
      'sort -S 1b --compress-program sh',
      'sort -o C',
      "man --html='touch C' x",
      'rg --pre sh x',
      "tar --checkpoint-action=exec='touch C' -cf x .",
      "less '+!touch C' a",
      'date -f secret',
      'file -m x y',
      'history -a x',
    ],
  ],
  [
    'S14',
    [
      'echo x > ~/.bashrc',
      'echo x >> /etc/x',
      'echo x >| a',
      'git log &> a',
      'echo x <> a',
      'git log 2>a',
      'git log >&a',
      'echo > $X',
      'echo x > .git/hooks/pre-commit',
    ],
  ],
  ['S16', ['./git status', '/tmp/git status', 'g\u0456t status', 'git\u200b status']],
  ['S18', [`git log ${'x'.repeat(100_001)}`, `${'('.repeat(10_000)}git log${')'.repeat(10_000)}`]],
  [
    'S19',
    [
      'git log "x',
      "git log 'x",
      'cat <<END\nx',
      'git log \0',
      'case x in',
      'git log \ud800',
      'git log )',
      'if git log',
    ],
  ],
  [
    'S21',
    [
      'cd .claude && echo x > settings.json',
      'cd / && cat etc/shadow',
      'pushd / && cat etc/shadow',
      'cd $X && cat a',
      'CDPATH=/ cd etc && cat shadow',
      'cd src; cat ../../x',
      'cd - && cat a',
    ],
  ],
  [
    'S39',
    [
      'git init sub',
      'git config core.hooksPath x',
      'mv hooks .git/hooks',
      'cp x .git/hooks/pre-commit',
      'tar xf a.tar',
      'git worktree add x',
      'git clone x',
    ],
  ],
  ['S40', ['mv .git .g; mkdir -p .git/hooks', 'git mv .git .g']],
  ['S43', ['cat /proc/1/status', 'cat ~/.ssh/id_rsa', 'cat ~/.aws/credentials', 'cat /dev/sda']],
])('%s: rules of the careless let nothing of it through', (row, commands) => {
  verifies(row);
  expect(letThrough(commands)).toEqual([]);
});

/** Evasions that the generator once found, and variants. */
test.each([
  ['exec ../bin/tou[c]h C'],
  ['env ../bin/t*h C'],
  ["PS4='$(touch C)'; set -x; echo x"],
  ["mapfile -c 1 -C 'touch C' <<< x"],
  ["readarray -C 'touch C' -c 1 a <<< x"],
  ["sed '1e touch C' a"],
  ["sed -n '1e touch C' a"],
  ["sed 's/a/touch C/e' a"],
  ["[[ -v 'a[$(touch C)]' ]]"],
  [`[[ "x'" -eq 'a[$(touch C)]' ]]`],
  ["(( 'a[$(touch C)]' ))"],
  ["(( a['$(touch C)'] ))"],
  ["echo $(( 'a[$(touch C)]' ))"],
  ["eval 'PATH=/usr/bin ../bin/tou[c]h C'"],
  ["eval 'X=1 $y C'"],
  ["bash -c 'X=1 ../bin/t*h C'"],
  [`command -p source /dev/stdin <<< 't"ou"ch C'`],
  [`builtin . /dev/stdin <<< 't"ou"ch C'`],
  ['command alias git=\'t"ou"ch C\''],
])('what once ran a forbidden program is never let through: %s', (command) => {
  verifies('S30');
  for (const mode of ['default', 'auto-edit', 'yolo'] as const) {
    const rules = ruleSet({ allow: mode === 'yolo' ? [] : CARELESS, deny: ['Bash(touch:*)'] });
    expect(decide({ mode, rules, call: runs(command) }).behavior).not.toBe('allow');
  }
});

test('a redirection is a write to its target, whatever the command', () => {
  verifies('S14');
  const behaviour = (command: string) => judged(command, 'auto-edit').behavior;
  expect(behaviour('echo x > a.txt')).toBe('allow');
  expect(behaviour('cd src && echo x > a.txt')).toBe('allow');
  for (const command of ['echo x > /etc/x', 'echo x > .git/config', 'cd .git && echo x > config', 'echo x > $X']) {
    expect(behaviour(command)).toBe('ask');
  }
  const rules = ruleSet({ allow: ['Bash(echo:*)', 'Edit(/out/**)'], deny: ['Edit(/out/secret)'] });
  const decided = (command: string) => decide({ mode: 'default', rules, call: runs(command) });
  expect(decided('echo x > out/a')).toMatchObject({ behavior: 'allow' });
  expect(decided('echo x > out/secret')).toMatchObject({ behavior: 'deny', rule: 'Edit(/out/secret)' });
  expect(decided('echo x > /tmp/a')).toMatchObject({ behavior: 'ask', blockedPath: '/tmp/a' });
});

test('no rule about moving files moves a protected folder or its parents', () => {
  verifies('S40');
  const rules = ruleSet({ allow: ['Bash(mv:*)', 'Bash(cp:*)', 'Bash(ln:*)', 'Bash(mkdir:*)'] });
  const moving = [
    'mv .git .g; mkdir -p .git/hooks',
    'mv ./.git .g',
    'mv .git/ .g',
    'mv .GIT .g',
    'mv ".git" .g',
    'mv -t /tmp .git',
    'mv --target-directory=.git x',
    'mv x .git/hooks',
    'mv /real/app/.git x',
    'mv ../app/.git x',
    'cp -r .git .g',
    'ln -s x .git',
    'mkdir -p .git/hooks',
    'cd sub && mv ../.git x',
    'mv .g* x',
    'mv ./.gi? x',
    'mv sub/../.[g]it x',
  ];
  for (const mode of ['default', 'auto-edit'] as const) {
    const passing = moving.filter((command) => decide({ mode, rules, call: runs(command) }).behavior !== 'ask');
    expect(passing).toEqual([]);
  }
  expect(decide({ mode: 'default', rules, call: runs('mv a b') }).behavior).toBe('allow');
});

test('no command reads memory, environments or tokens, in any mode', () => {
  verifies('S43');
  for (const command of ['cat /proc/self/environ', 'cat /proc/1/mem', 'cd /proc/1 && cat environ', 'xxd /dev/mem']) {
    expect(decide({ mode: 'yolo', rules: ruleSet({ allow: ['Bash'] }), call: runs(command) })).toMatchObject({
      behavior: 'deny',
      decidedBy: 'secret',
    });
  }
});

test('a tracer that may attach to a running process asks, wherever its option is', () => {
  verifies('S43');
  const decided = (command: string) =>
    decide({ mode: 'yolo', rules: ruleSet({ allow: ['Bash'] }), call: runs(command) }).behavior;
  for (const command of [
    'strace -p 1',
    'strace -fp1',
    'strace x -p 1',
    'sudo ltrace -p 1',
    'gdb -p 1',
    'perf record -gp 1',
  ]) {
    expect(`${command}: ${decided(command)}`).toBe(`${command}: ask`);
  }
  for (const command of ['strace -f ls', 'gdb --args ls -p 1', 'perf record -g ls']) {
    expect(`${command}: ${decided(command)}`).toBe(`${command}: allow`);
  }
});

test('every part of a compound command must be allowed, by any rule', () => {
  verifies('S1', 'S17');
  const rules = ruleSet({ allow: ['Bash(npm test)', 'Bash(git *)'] });
  const behaviour = (command: string) => decide({ mode: 'default', rules, call: runs(command) }).behavior;
  for (const command of [
    'npm test && git push',
    'npm test | head -5',
    'timeout 60 npm test',
    'if npm test; then git push; fi',
  ]) {
    expect(behaviour(command)).toBe('allow');
  }
  for (const command of ['npm test && make', 'npm test | sh', 'sudo npm test', 'CI=1 npm test']) {
    expect(behaviour(command)).toBe('ask');
  }
});
