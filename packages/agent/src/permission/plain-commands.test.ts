import type { PermissionMode } from '@qwen/protocol';
import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

const MODES: readonly PermissionMode[] = ['default', 'plan', 'auto-edit'];

function allowed(commands: readonly string[], allow: readonly string[] = []): string[] {
  const rules = ruleSet({ allow });
  return MODES.flatMap((mode) =>
    commands
      .filter((command) => decide({ mode, rules, call: runs(command) }).behavior === 'allow')
      .map((command) => `${mode}: ${command}`),
  );
}

test.each<[kind: string, commands: readonly string[]]>([
  [
    'sed scripts that run, read or write',
    [
      "sed '1e touch C' a",
      "sed 's/x/touch C/e' a",
      "sed 's/x/y/ge' a",
      "sed -n 's/x/y/w C' a",
      "sed 'w C' a",
      "sed -n '1pw C' a",
      "sed -n 'p;w C' a",
      "sed '$!w C' a",
      "sed 'r ../secret' a",
      "sed '1{e touch C\n}' a",
      "sed 's/[/]/x/;e touch C\n/' a",
      "sed 's/a\\/b/c/e touch C' a",
      "sed 's|a|b|e' a",
      "sed 's,a,b,w C' a",
      "sed '/[/]/e touch C' a",
      "sed 's#.*#touch C/#;s/[/]/;s/e#/x/' a",
      "sed 's#[#]#;s#w C#y#' a",
      "sed 's#.*#touch C/#;s/[[:alpha:]/]/;s/e#/x/' a",
      "sed '/a\\/e touch C/p' a",
      "sed 'sxaxbxe' a",
      "sed 'y/a/b/;e' a",
      "sed 'a\\\ne touch C' a",
      "sed ':x;e touch C' a",
      "sed '}' a",
      'sed -i s/a/b/ a',
      'sed -ni p a',
      'sed -n p -i a',
      'sed -n p --in-place a',
      'sed -n p --in=.x a',
      'sed -e p -i.bak a',
      'sed -f x a',
      'sed -n p -f x a',
      'sed --expression=e a',
      "sed --expr='1e touch C' a",
      'sed -n p ../secret',
      'sed p -s ../secret',
    ],
  ],
  [
    'awk programs that run, read or write',
    [
      `awk 'BEGIN{system("touch C")}'`,
      `awk '{print > "C"}' a`,
      `awk '{print >> "C"}' a`,
      `awk '{print $1 > $2}' a`,
      `awk '{print | "sh"}' a`,
      `awk '{print |& "sh"}' a`,
      `awk '{"touch C" | getline}' a`,
      `awk '{while ((getline x < "../secret") > 0) y = x}' a`,
      `awk '/"/ {print > "C"} /"/' a`,
      `awk '/"/ {print > "C" } /"x/' a`,
      `awk '/[/"]/ {print > "C"} {"/"}' a`,
      `awk '{a / b | "touch C" / c}' a`,
      `awk '{print "a\\" > "C"}' a`,
      `awk '{print "a" > "C" "}"}' a`,
      `awk '{print # "\n > "C" #"\n}' a`,
      `gawk '{f = "sys" "tem"; @f("touch C")}' a`,
      `gawk '@load "filefuncs"' a`,
      `awk '{print ENVIRON["HOME"]}' a`,
      `awk 'BEGIN{ARGV[1] = "../secret"; ARGC = 2} {print}' a`,
      `gawk 'BEGIN{SYMTAB["ARGV"][1] = "../secret"}' a`,
      "awk -f x '{print}' a",
      "awk -v 'ARGV=x' '{print}' a",
      "awk -v x=1 -f y '{print}' a",
      "awk -vx=1 '{print}' a",
      "awk -F, -f x '{print}'",
      "awk '{print}' FS=x ../secret",
      "awk '{print}' -f x",
      "awk -i inplace '{print}' a",
      "awk '{print}' ../secret",
    ],
  ],
  [
    'programs that print files, with an output or another source',
    [
      'xxd a C',
      'xxd -b a C',
      'xxd -bl a C',
      'xxd -r a',
      'xxd -r -p a C',
      'xxd -l8 a C',
      'strings @options',
      'strings -n 4 @options',
      'strings -@options',
      'base64 a b',
      'base64 ../secret',
      'od ../secret',
      'od --output=x a',
      'hexdump -f ../format a',
      'tar -tf host:a.tar',
      'tar -xf a.tar',
      'tar -tIf x a.tar',
      'tar tf a.tar --to-command=x',
      'tar -tf a.tar -I x',
      'tar tf ../a.tar',
      'tar -tFf x a.tar',
      'unzip a.zip',
      'unzip -l a.zip -d x',
      'unzip -q a.zip',
      "unzip -l '*/x.zip'",
      'df ../x',
      'find . -fprintf C x',
      'rg --pre x y',
      'rg -z x',
      'rg -rz --pre=x y',
      'jq --arg x --arg env ../secret',
      'jq --slurpfile x ../secret . a',
      'jq --rawfile x ../secret . a',
      'command -v',
      'command -p ls',
      'command -v -p ls',
      'command ls -v',
      'cargo --version',
      'go version',
      'yarn --version',
      'pnpm --version',
      'java -version -jar x.jar',
    ],
  ],
  [
    'git commands that change or show more',
    [
      'git remote get-url origin x',
      'git remote set-url origin x',
      'git config --list',
      'git config --get http.extraheader',
      'git config user.name x',
      'git config --unset user.name',
      'git config --file ../x user.name',
      'git config -f ../x user.name',
      'git config --edit --global user.name',
      'git worktree add x',
      'git worktree prune',
      'git worktree list x',
      'git symbolic-ref HEAD refs/heads/x',
      'git symbolic-ref -d HEAD',
      'git for-each-ref --shell --stdin',
      'git show-ref --exclude-existing',
    ],
  ],
])('these need a question: %s', (_kind, commands) => {
  verifies('S11', 'S12');
  expect(allowed(commands)).toEqual([]);
});

test.each<[kind: string, commands: readonly string[]]>([
  [
    'words that look like the value of an option',
    [
      'git diff -U ../outside/secret a.txt',
      'git diff -pU ../outside/secret a.txt',
      'git diff --unified ../outside/secret a.txt',
      'tree -Io x y.txt .',
      'tree -aPo x .git/hooks/pre-commit',
      'tree -L1o y.txt',
      'ls -I ../outside',
      `jq -n '"../outside/x" | modulemeta'`,
    ],
  ],
  [
    'loops and conditions',
    [
      "for PS4 in '$(touch C)'; do set -o xtrace; ls; done",
      'for PATH in ./bin; do ls; done',
      'for HOME in ./home; do git status; done',
      'for CDPATH in ..; do true; done; cd outside && cat secret.txt',
      'for x in a; do ls; done',
      'for ((;;)); do ls; done',
      'while true; do ls; done',
      'until ls; do ls; done',
      'case a in a) ls;; esac',
      'if ls; then ls; fi',
      'select PS4 in a; do ls; done',
    ],
  ],
  [
    'options of the shell',
    [
      "set -o keyword\ngit diff GIT_EXTERNAL_DIFF='touch C'",
      'set -k\nls PATH=./bin',
      'set -o keyword\nls LD_PRELOAD=./evil.so',
      'set -a; ls',
      'set -o xtrace; ls',
      'set -x; ls',
      'set -- a; ls',
      'set; ls',
      'shopt -s cdable_vars; cd x; ls',
      'shopt -s expand_aliases; ls',
    ],
  ],
  [
    'variables',
    [
      'A=1 ls',
      'A=1; ls',
      'export A=1; ls',
      'declare A=1; ls',
      'typeset PATH=./bin; ls',
      'local A; ls',
      'readonly A=1; ls',
      'read PATH <<< ./bin; ls',
      'mapfile PATH < a; ls',
      'readarray -t PATH < a; ls',
      'getopts a PATH; ls',
      'unset PATH; ls',
      'printf -v PATH ./bin; ls',
      "printf '12345%n' PATH; ls",
      "printf '12345%ln' PATH; ls",
      "printf '12345%hhn' PATH; ls",
      "printf '12345%-5jn' PATH; ls",
      'let PATH=5; ls',
      '((PATH=5)); ls',
      'echo $((PATH=5)); ls',
      'echo ${PATH:=x}; ls',
      'wait -p PATH; ls',
      'ls {PATH}>/dev/null; ls',
      'ls {PATH}<a; ls',
      'coproc PATH { ls; }; ls',
    ],
  ],
  [
    'values that may be secrets',
    [
      'echo $DATABASE_URL',
      'echo "$PGPASSWORD"',
      'echo ${MYSQL_PWD}',
      'echo $SECRET_KEY_BASE',
      'echo $GH_PAT',
      'printf %s "$GITHUB_TOKEN"',
      'cat <<END\n$DATABASE_URL\nEND',
      'cat <<< $DATABASE_URL',
      'echo ${HOME:0:1}',
      'echo ${#HOME}',
      'echo ${HOME@P}',
      'echo $*',
      'echo $1',
    ],
  ],
  [
    'wrappers',
    [
      'command cd docs/x; git status',
      'builtin cd docs/x; git status',
      'command ls',
      'builtin echo a',
      'env ls',
      'eval ls',
      'exec ls',
      'exec 3< a; ls',
      '. ./a; ls',
      'source a',
      'trap ls EXIT',
      'alias ls=x; ls',
      'hash -p x ls; ls',
      'enable -f x ls; ls',
      'xargs ls < a',
      'coproc ls',
      'f() { ls; }; f',
      'bash -c ls',
    ],
  ],
  [
    'words that are not literal',
    [
      'cat $(ls)',
      'cat `ls`',
      'cat <(ls)',
      'ls > >(cat)',
      'cat {a,b}',
      'cat {1..3}',
      "cat $'a'",
      'cat $"a"',
      'cat a*',
      'cat ?',
      'cat [a]',
      'cat ~/a',
      'cat ~other/a',
      'cat @(a|b)',
      'cat "$HOME/a"',
      '$SHELL a',
      '"$SHELL" a',
    ],
  ],
  [
    'redirections',
    [
      'ls <> a',
      'ls 3< a',
      'ls 7>/dev/null',
      'ls <&3',
      'ls >&3',
      'ls > /dev/tcp/127.0.0.1/80',
      'cat < /dev/tcp/127.0.0.1/80',
      'cat < ../a',
      'ls > ../a',
      'ls >& ../a',
      'ls &> ../a',
    ],
  ],
  [
    'verbs in another place',
    [
      'git stash -- list',
      'git stash -q list',
      'git stash -p list',
      'git diff --color-words ../outside a',
      'git reflog -q show',
    ],
  ],
])('%s need a question', (_, commands) => {
  verifies('S1', 'S8', 'S9', 'S10');
  expect(allowed(commands)).toEqual([]);
});

test('no rule covers a loop variable that programs read', () => {
  verifies('S8');
  const rules = ['Bash(npm test)', 'Bash(echo *)', 'Bash(cd *)', 'Bash(cat *)'];
  expect(
    allowed(
      [
        'for PATH in ./bin; do npm test; done',
        'for NODE_OPTIONS in --require=./x; do npm test; done',
        'for https_proxy in http://127.0.0.1; do npm test; done',
        'for _ in a; do npm test; done',
        'for x in PATH; do npm test; ls; done',
      ],
      rules,
    ),
  ).toEqual([]);
  expect(
    decide({ mode: 'default', rules: ruleSet({ allow: rules }), call: runs('for x in a b; do npm test; done') }),
  ).toMatchObject({ behavior: 'allow' });
});

test('a wrapper that changes the folder makes it unknown', () => {
  verifies('S21');
  const rules = ['Bash(command cd *)', 'Bash(builtin cd *)', 'Bash(eval cd *)'];
  expect(
    allowed(
      [
        'command cd .git/hooks; echo evil > pre-commit',
        'builtin cd .git/hooks; echo evil > pre-commit',
        'eval cd .git/hooks; echo evil > pre-commit',
        'command cd docs/x; git status',
        'command cd docs/x; cat a',
      ],
      rules,
    ),
  ).toEqual([]);
});

test('lists of simple commands need no question', () => {
  const commands = [
    'ls; pwd',
    'ls && pwd || true',
    'ls | wc -l',
    'ls |& wc -l',
    'ls & pwd',
    '! ls',
    'time ls',
    '(ls)',
    '{ ls; }',
    'ls 2>&1',
    'ls >/dev/null 2>&1',
    'ls &>/dev/null',
    'ls 1>&2',
    'cat < a',
    "cat <<'END'\n$x\nEND",
    'cat <<END\ntext\nEND',
    "cat <<< 'text'",
    'echo $HOME "$PWD" ${USER} $?',
    "printf '%s %5d %%\\n' a 1",
    'cd src && ls',
  ];
  const rules = ruleSet({});
  for (const mode of MODES) {
    expect(commands.filter((command) => decide({ mode, rules, call: runs(command) }).behavior !== 'allow')).toEqual([]);
  }
});
