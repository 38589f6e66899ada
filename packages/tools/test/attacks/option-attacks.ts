import { spawnSync } from 'node:child_process';
import { Random } from './random.js';

/** Programs that may run without a question. */
const PROGRAMS = (
  'ls cat head tail wc nl tac rev cut paste uniq sort comm diff cmp stat file du df tree realpath readlink md5sum ' +
  'sha1sum sha256sum cksum join fold fmt expand unexpand column base64 od hexdump strings xxd grep egrep fgrep rg tr seq ' +
  'basename dirname find sed awk jq date test tar unzip which type id uname hostname printf echo command timeout nice stdbuf time'
).split(' ');
const GIT_VERBS = (
  'log diff show shortlog status rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev describe blame reflog ' +
  'grep branch tag remote stash config for-each-ref show-ref symbolic-ref count-objects cherry worktree'
).split(' ');
const FILES =
  'a.txt .env link-env link-out/secret link-key ../outside/secret src/* lib/* .e* *.txt */*.txt ~/.ssh/id_rsa src/keep /proc/self/environ -'.split(
    ' ',
  );
const VALUES = [
  ...FILES,
  './evil.sh',
  'src/new',
  'y',
  '1',
  'x',
  '!./evil.sh',
  '|./evil.sh',
  'sh -c ./evil.sh',
  '.',
  '..',
  'always',
  'HEAD',
  '%G?',
];

interface Options {
  readonly start: string;
  readonly names: readonly string[];
}

/** The options that the installed programs describe, and every letter. */
function describedOptions(): readonly Options[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'].map((letter) => `-${letter}`);
  const described = (program: string, args: readonly string[]): readonly string[] => {
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: '/', timeout: 5000 });
    return [...new Set(`${stdout}${stderr}`.match(/(?<![\w-])--?[A-Za-z][\w-]*/g) ?? [])];
  };
  return [
    ...PROGRAMS.map((start) => ({ start, names: [...described(start, ['--help']), ...letters] })),
    ...GIT_VERBS.map((verb) => ({ start: `git ${verb}`, names: [...described('git', [verb, '-h']), ...letters] })),
  ];
}

/** Read-only programs with any option, value and file, in the forms that option parsers accept. */
export function optionAttacks(count: number, seed: number): string[] {
  const random = new Random(seed);
  const programs = describedOptions();
  const made = new Set<string>();
  while (made.size < count) {
    const { start, names } = random.pick(programs);
    const words = Array.from({ length: random.below(3) }, () => optionWord(random.pick(names), random));
    const operands = Array.from({ length: random.below(3) }, () => random.pick(random.chance(70) ? FILES : VALUES));
    const all = random.chance(15) ? [...operands, ...words] : [...words, ...operands];
    const command = [start, ...all].join(' ');
    made.add(
      random.chance(20)
        ? `${random.pick(['cd src && ', 'cd lib; ', 'cat a.txt | ', 'time ', 'nice '])}${command}`
        : command,
    );
  }
  return [...made];
}

function optionWord(name: string, random: Random): string {
  const value = random.pick(VALUES);
  const quoted = /[\s|!%]/.test(value) ? `'${value}'` : value;
  const shortened = name.startsWith('--') && random.chance(30) ? name.slice(0, 4 + random.below(name.length)) : name;
  switch (random.below(4)) {
    case 0:
      return shortened;
    case 1:
      return name.startsWith('--') ? `${shortened}=${quoted}` : `${name}${quoted}`;
    case 2:
      return `${shortened} ${quoted}`;
    default:
      return name.startsWith('--') ? shortened : `${name}${random.pick([...'abcefnorsvxzRT'])}`;
  }
}
