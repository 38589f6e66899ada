import { type ArgumentGrammar, grammar, type ReadArguments, readArguments } from './argument-grammar.js';

/** Excludes `--output`, `--ext-diff`, `--textconv` and `-O` on purpose. */
const SHOW_FLAGS =
  'puswWabzRtMCiEF# --stat --shortstat --numstat --dirstat --summary --patch --no-patch --raw --name-only --name-status ' +
  '--oneline --graph --all --decorate --no-decorate --color --no-color --cached --staged --merges --no-merges ' +
  '--first-parent --reverse --follow --abbrev-commit --no-abbrev-commit --abbrev --word-diff --check --quiet ' +
  '--ignore-all-space --ignore-space-change --ignore-blank-lines --minimal --patience --histogram --no-renames ' +
  '--find-renames --find-copies --relative --full-index --no-ext-diff --no-textconv --date-order --topo-order ' +
  '--branches --tags --remotes --left-right --cherry-pick --boundary --parents --children --exit-code --merge-base ' +
  '--compact-summary --not --pretty --no-prefix --function-context --color-words --unified --all-match --invert-grep';
const SHOW_VALUES =
  'nU?GSLl --format --max-count --skip --since --until --after --before --author --committer --grep --diff-filter ' +
  '--date --inter-hunk-context --diff-algorithm --word-diff-regex';

const show = grammar(SHOW_FLAGS, SHOW_VALUES);
const PLUMBING = grammar(`${SHOW_FLAGS} r --no-commit-id --root`, SHOW_VALUES);
const COMMANDS: Readonly<Record<string, ArgumentGrammar>> = {
  log: grammar(`${SHOW_FLAGS} --source`, SHOW_VALUES),
  diff: show,
  show,
  'diff-tree': PLUMBING,
  'diff-index': PLUMBING,
  'diff-files': PLUMBING,
  'check-attr': grammar('az --all --cached'),
  var: grammar(''),
  shortlog: grammar('snec --numbered --summary --email --no-merges --merges --all', '--since --until --author'),
  status: grammar('sbvz --short --branch --porcelain --long --verbose --ignored --untracked-files --show-stash', 'u?'),
  'rev-parse': grammar(
    'q --show-toplevel --show-prefix --show-cdup --git-dir --is-inside-work-tree --abbrev-ref --short --verify --quiet ' +
      '--symbolic-full-name --show-current --absolute-git-dir --git-common-dir',
  ),
  'rev-list': grammar(
    '# --count --all --merges --no-merges --first-parent --reverse --left-right --left-only --right-only --cherry-pick',
    'n --max-count --since --until --max-parents --min-parents',
  ),
  'ls-files': grammar(
    'cdmoistuz --cached --deleted --modified --others --ignored --stage --exclude-standard --full-name --error-unmatch',
  ),
  'ls-tree': grammar('rdtlz --name-only --long --full-tree --full-name'),
  'cat-file': grammar('tspe'),
  'merge-base': grammar('a --all --is-ancestor --fork-point'),
  'name-rev': grammar('--name-only --tags'),
  describe: grammar('--tags --always --long --all --exact-match --abbrev', '--match'),
  blame: grammar('wlstecMC --porcelain --line-porcelain --show-email', 'L --since'),
  reflog: grammar('# --all --oneline', 'n'),
  grep: grammar(
    'niIlLcwvEFGPhHoqpW --cached --untracked --line-number --ignore-case --files-with-matches --count --name-only ' +
      '--word-regexp --extended-regexp --fixed-strings --perl-regexp --heading --break --function-context',
    'eABC --max-depth --max-count',
  ),
  branch: grammar(
    'arv --all --remotes --verbose --list --show-current --no-color',
    '--format --sort --contains --no-contains --merged --no-merged --points-at',
  ),
  tag: grammar('l --list', 'n? --sort --format --contains --points-at'),
  remote: grammar('v --verbose'),
  stash: grammar(SHOW_FLAGS, SHOW_VALUES),
  version: grammar('--build-options'),
  config: grammar('--get --local --global'),
  'for-each-ref': grammar('', '--format --sort --count --contains --points-at --merged'),
  'show-ref': grammar('ds --heads --tags --head --hash --dereference'),
  'symbolic-ref': grammar('q --short --quiet'),
  'count-objects': grammar('vH --verbose --human-readable'),
  cherry: grammar('v'),
  'check-ignore': grammar('vnq --verbose --non-matching --quiet --no-index'),
  worktree: grammar('v --porcelain'),
};
/** Settings whose values are not secret. */
const SHOWN_SETTING =
  /^(?:user\.(?:name|email)|(?:core|init|pull|push|fetch|merge|rebase|color)\.\w+|remote\.[\w-]+\.(?:url|fetch)|branch\.[\w/.-]+\.(?:remote|merge))$/i;

const LISTING: ReadonlyMap<string, readonly string[]> = new Map([
  ['branch', ['--list']],
  ['tag', ['-l', '--list']],
  ['remote', []],
]);

/** Undefined if git may do more than read. Operands may be files: `git diff` reads files outside its tree. */
export function gitOperands(args: readonly string[]): readonly string[] | undefined {
  const [name = '', ...options] = args[0] === '--no-pager' ? args.slice(1) : args;
  if (name === '--version') return options.length === 0 ? [] : undefined;
  const syntax = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  const read = syntax && readArguments(options, syntax);
  if (read === undefined) return undefined;
  const { operands } = read;
  switch (name) {
    case 'config':
      return operands.length === 1 && SHOWN_SETTING.test(operands[0] ?? '') ? [] : undefined;
    case 'var':
      return /^GIT_(?:(?:AUTHOR|COMMITTER)_IDENT|DEFAULT_BRANCH)$/.test(operands.join(' ')) ? [] : undefined;
    case 'symbolic-ref':
      return operands.length === 1 ? [] : undefined;
    case 'worktree':
      return options[0] === 'list' && operands.length === 1 ? [] : undefined;
    case 'remote':
      if (options[0] === 'get-url' && operands.length === 2) return [];
      // With a name, it asks the other repository.
      if (options[0] === 'show' && options.length === 1) return [];
      break;
    case 'stash':
    case 'reflog':
      return isShowing(name, options, operands) ? operands : undefined;
  }
  return isListing(name, read) ? operands : undefined;
}

/** The verb comes first: `git stash -- list` stores the file `list`. */
function isShowing(name: string, [verb]: readonly string[], operands: readonly string[]): boolean {
  return verb === 'show' || (name === 'stash' ? verb === 'list' : operands.length === 0);
}

const ONLY_READ = new Set(
  'log diff show shortlog status rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev describe blame grep'.split(
    ' ',
  ),
);

/** Unlike `gitOperands`, whatever the options are: `git diff` never needs a hook or a signature. */
export function gitUse(args: readonly string[]): 'reading' | 'other' {
  const [name = ''] = args[0] === '--no-pager' ? args.slice(1) : args;
  return ONLY_READ.has(name) || gitOperands(args) !== undefined ? 'reading' : 'other';
}

function isListing(name: string, { operands, options }: ReadArguments): boolean {
  const listing = LISTING.get(name);
  return listing === undefined || operands.length === 0 || listing.some((option) => options.has(option));
}
