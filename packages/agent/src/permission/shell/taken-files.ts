import type { ListingScope } from '../../ports.js';
import { filesIn } from './folder-track.js';
import { scanOptions } from './option-words.js';
import { SHELLS } from './programs.js';
import { baseName, type ShellCommand, type ShellReading } from './shell-reading.js';

/** Files that a command takes although no word names them. */
export interface TakenFiles {
  /** A folder, with everything below it. Absolute. */
  readonly folder: string;
  readonly scope: ListingScope;
  readonly access: 'read' | 'write' | 'any';
  /** Only files with such a name. Default: all. */
  readonly globs?: readonly string[];
}

export interface Takings {
  readonly files: readonly TakenFiles[];
  /** Folders that words name count too. */
  readonly takesNamedFolders: boolean;
  /** The names come from the input or from a file. */
  readonly isOpen: boolean;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Programs that never open what is below a folder that they are given, or run what the project defines. */
const SHALLOW = words(
  'ls dir vdir cd pushd popd pwd test [ stat file tree du df realpath readlink basename dirname mkdir rmdir echo printf ' +
    'cat head tail wc nl tac rev cut sort uniq paste comm cmp touch which type command hash true false : sleep kill wait ' +
    'jobs export set unset read exit return date id whoami uname hostname seq tr env printenv node nodejs deno bun ruby ' +
    'perl php npm pnpm yarn npx make gmake cargo go just cmake source . jq sed awk gawk mawk vim vi nano timeout nice ' +
    'nohup time stdbuf sudo doas setsid exec eval builtin',
);
const SEARCHERS = words('rgrep ug ugrep pcregrep pcre2grep rg ag ack ack-grep ctags cscope gitleaks trufflehog');
const GREPS = words('grep egrep fgrep zgrep');
const EXTRACTORS = words('unzip cpio pax 7z 7za 7zr jar ar unrar patch bsdtar tar gtar');
const LISTED =
  /^--(?:files-from|files0-from|from-file|pathspec-from|stdin|batch|null-from|config|input-file|exclude-from)/;
const DEREFERENCING = /^-[A-Za-z]*R|^--deref/;
const FOLLOWING: ReadonlyMap<string, RegExp> = new Map([
  ['grep', DEREFERENCING],
  ['egrep', DEREFERENCING],
  ['fgrep', DEREFERENCING],
  ['rg', /^-[A-Za-z]*L|^--follow/],
  ['find', /^-(?:L|H|follow)$/],
  ['tar', /^-?[A-Za-z]*h|^--deref/],
  ['cp', /^-[A-Za-z]*[LH]|^--deref/],
  ['rsync', /^-[A-Za-z]*[Lk]|^--copy-/],
]);
const NOTHING: Takings = { files: [], takesNamedFolders: false, isOpen: false };

export function takingsOf(command: ShellCommand, reading: ShellReading): Takings {
  const [program, ...rest] = command.words;
  const name = baseName(program?.text ?? '');
  const args = rest.map(({ text }) => text);
  if (program === undefined || SHELLS.has(name) || /^-|^\d+[smhd]?$|=/.test(name)) return NOTHING;
  const here = (scope: ListingScope, access: TakenFiles['access']): TakenFiles[] =>
    (filesIn(command.folders, '.') ?? []).map((folder) => ({ folder, scope, access }));
  const operands = (scope: ListingScope): TakenFiles[] =>
    (command.readOnlyFiles ?? []).map((folder) => ({ folder, scope, access: 'read' }));
  const isRead = command.readOnlyFiles !== undefined && command.readOnlyPatterns === undefined;
  if (name === 'git') return gitTakings(args, { command, reading });
  if (name === 'xargs' || name === 'parallel') return { ...NOTHING, isOpen: true };
  if (name === 'find') return findTakings(args, here('all', 'any'));
  if (GREPS.has(name)) {
    if (!args.some((word) => /^-[A-Za-z]*[rR]|^--(?:rec|der|di)|^-\w*d(?:rec|$)/.test(word))) return NOTHING;
    return isRead
      ? { ...NOTHING, files: operands('all') }
      : { files: here('all', 'read'), takesNamedFolders: true, isOpen: false };
  }
  if (name === 'rg' && isRead) {
    if (args.includes('--files')) return NOTHING;
    const isWide = args.some((word) => /^-[A-Za-z]*[u.]|^--(?:hidden|no-ig|unr)/.test(word));
    const globs = globsOf(args);
    // Ripgrep also searches hidden and ignored files that a glob or a type names.
    const named = globs.length === 0 ? [] : operands('all').map((files) => ({ ...files, globs }));
    return { ...NOTHING, files: [...operands(isWide ? 'all' : 'visible'), ...named] };
  }
  if (SEARCHERS.has(name)) return { files: here('all', 'any'), takesNamedFolders: true, isOpen: false };
  if (name === 'diff' && isRead) return { ...NOTHING, files: operands('all') };
  const isPacking = /^(?:npm|pnpm|yarn)$/.test(name) && args.some((word) => /^(?:pack|publish)$/.test(word));
  const isModule = name.startsWith('python') && args.some((word) => /^-\w*m/.test(word));
  if (isModule && args.some((word) => /^-\w*e|^--e/.test(word))) {
    return { files: here('all', 'any'), takesNamedFolders: true, isOpen: false };
  }
  if (isPacking || (isModule && args.some((word) => word.includes('http')))) {
    return { files: here('all', 'any'), takesNamedFolders: true, isOpen: false };
  }
  const isListed =
    args.some((word) => LISTED.test(word) || word === '-@') || (/^(?:bsd|g)?tar$/.test(name) && takesList(args));
  const isFileTool = name === 'cmake' && args[0] === '-E';
  if ((SHALLOW.has(name) || name.startsWith('python')) && !isModule && !isFileTool)
    return { ...NOTHING, isOpen: isListed };
  return {
    files: EXTRACTORS.has(name) && !isListing(name, args) ? here('all', 'write') : [],
    takesNamedFolders: true,
    isOpen:
      isListed || name === 'cpio' || name === 'pax' || (name === 'curl' && args.some((word) => /^-\w*K/.test(word))),
  };
}

/** Names of files that options of ripgrep add. */
function globsOf(args: readonly string[]): readonly string[] {
  const scanned = scanOptions(args, { valued: 'egtTABCmdrMjf', longValued: ['glob', 'iglob', 'type', 'regexp'] });
  return scanned.flatMap(({ kind, name, value = '' }) => {
    if (kind === 'operand') return [];
    if (kind === 'letter' ? name === 't' : name === 'type') return ['?*.*', '.*rc', '.*profile'];
    const isGlob = kind === 'letter' ? name === 'g' : /^i?glob$/.test(name);
    return isGlob && !value.startsWith('!') ? [baseName(value.replace(/\/+$/, ''))] : [];
  });
}

/** Whether it opens what links below a folder lead to. */
export function followsLinks({ words: [program, ...args] }: ShellCommand): boolean {
  const option = FOLLOWING.get(baseName(program?.text ?? ''));
  return option !== undefined && args.some(({ text }) => option.test(text));
}

/** `-T LIST`, in a cluster too. */
function takesList(args: readonly string[]): boolean {
  const [first = ''] = args;
  return (
    /^[A-Za-z]*T/.test(first) ||
    scanOptions(args, { valued: 'fCTXbKNVHgL' }).some(({ kind, name }) => kind === 'letter' && name === 'T')
  );
}

function isListing(name: string, args: readonly string[]): boolean {
  if (name === 'patch') return args.some((word) => word === '--dry-run');
  if (name.endsWith('tar'))
    return !args.some(
      (word, index) => (index === 0 ? /^-?\w*x/.test(word) : /^-\w*x/.test(word)) || /^--(?:ex|ge)/.test(word),
    );
  return name === 'unzip' && args.some((word) => /^-\w*[ltpZ]/.test(word));
}

function findTakings(args: readonly string[], here: readonly TakenFiles[]): Takings {
  const acts = args.some((word) => /^-(?:exec|ok|delete|fprint|fls|files0)/.test(word));
  if (!acts) return NOTHING;
  const first = args.findIndex((word) => !/^-[HLPDO]/.test(word));
  const isHere = first < 0 || /^[-(!]/.test(args[first] ?? '');
  return {
    files: isHere ? here : [],
    takesNamedFolders: true,
    isOpen: args.some((word) => word.startsWith('-files0')),
  };
}

const GIT_PLAIN = words(
  'ls-files ls-tree rev-parse rev-list branch tag remote config init fetch push merge-base name-rev describe version help ' +
    'shortlog var notes gc prune fsck count-objects for-each-ref show-ref symbolic-ref update-ref mktag ls-remote ' +
    'check-ignore cherry show-branch hash-object update-index pack-refs repack maintenance --version --help -v',
);
const GIT_READING = words(
  'diff diff-index diff-files diff-tree difftool grep show format-patch fast-export range-diff whatchanged cat-file request-pull',
);
const SHOWS_PATCH = /^--(?:pat|u(?!nt)|wo|color-|cc|dd|rem|diff-m|bi|fun|ext|te)|^-[A-Za-z]*[puUcLWSGm]/;
const STAGES_PATCH = /^--(?:pa|v|i|e)|^-[A-Za-z]*[pvie]/;
/** Show the content of files with these options only. */
const GIT_PATCHING: Readonly<Record<string, RegExp>> = {
  log: SHOWS_PATCH,
  reflog: SHOWS_PATCH,
  stash: SHOWS_PATCH,
  status: /^--v|^-[A-Za-z]*v/,
  commit: STAGES_PATCH,
  add: STAGES_PATCH,
  stage: STAGES_PATCH,
};
const ELSEWHERE = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|NAMESPACE)=/;
/** Change files and show none of them. */
const GIT_WRITING = words(
  'am apply checkout cherry-pick clean commit merge mv pull read-tree rebase reset restore revert rm stash submodule ' +
    'sparse-checkout switch add stage filter-branch bisect merge-file mailsplit rerere unpack-objects fast-import',
);
const GIT_COPYING = words('archive bundle clone worktree checkout-index');
const GIT_STAGING =
  /^(?:add|stage|update-index|stash|commit|apply|read-tree|mv|checkout|restore|switch|merge|pull|am)$/;
const SHOWS_NAMES =
  /^(?:--(?:stat|numstat|shortstat|dirstat|name-only|name-status|summary|no-patch|compact-summary|quiet)(?:=.*)?|-s)$/;

function gitTakings(
  args: readonly string[],
  { command, reading }: { command: ShellCommand; reading: ShellReading },
): Takings {
  const { name, rest, folder, isElsewhere } = gitVerb(args);
  if (name === undefined || GIT_PLAIN.has(name)) return NOTHING;
  const folders = filesIn(command.folders, folder) ?? [];
  const isOpen = isElsewhere || [...command.assignments, ...reading.assigned].some(({ text }) => ELSEWHERE.test(text));
  const takes = (access: TakenFiles['access'], ...scopes: readonly ListingScope[]): Takings => ({
    files: folders.flatMap((at) => scopes.map((scope) => ({ folder: at, scope, access }))),
    takesNamedFolders: false,
    isOpen,
  });
  const isListed = rest.some((word) => LISTED.test(word));
  const patching = Object.hasOwn(GIT_PATCHING, name) ? GIT_PATCHING[name] : undefined;
  if (patching !== undefined && (name !== 'stash' || /^(?:list|show)$/.test(rest[0] ?? ''))) {
    return rest.some((word) => patching.test(word)) ? takes('read', 'tracked') : { ...NOTHING, isOpen: isListed };
  }
  if (GIT_READING.has(name)) {
    if (rest.some((word) => SHOWS_NAMES.test(word)) && !rest.some((word) => SHOWS_PATCH.test(word))) return NOTHING;
    const stages = reading.commands.some(
      ({ words: all }) =>
        baseName(all[0]?.text ?? '') === 'git' &&
        GIT_STAGING.test(gitVerb(all.slice(1).map(({ text }) => text)).name ?? ''),
    );
    const read = stages ? takes('read', 'tracked', 'all') : takes('read', 'tracked');
    return {
      ...read,
      isOpen: read.isOpen || isListed || (name === 'cat-file' && rest.some((word) => word.startsWith('--batch'))),
    };
  }
  if (GIT_COPYING.has(name)) return { ...takes('any', 'tracked', 'all'), takesNamedFolders: name === 'clone' };
  if (name === 'reset' && !rest.some((word) => /^--(?:h|m|k)/.test(word))) return NOTHING;
  if (/^(?:checkout|switch)$/.test(name) && rest.length === 2 && /^-[bc]$/.test(rest[0] ?? '')) return NOTHING;
  return { ...takes(GIT_WRITING.has(name) ? 'write' : 'any', 'tracked', 'all'), isOpen: isOpen || isListed };
}

interface GitVerb {
  readonly name: string | undefined;
  readonly rest: readonly string[];
  readonly folder: string;
  /** Another repository or working tree is named. */
  readonly isElsewhere: boolean;
}

function gitVerb(args: readonly string[]): GitVerb {
  let folder = '.';
  let isElsewhere = false;
  let at = 0;
  for (; at < args.length && args[at]?.startsWith('-') === true; at += 1) {
    const word = args[at] ?? '';
    if (word === '--version' || word === '--help') break;
    if (/^--(?:git-dir|work-tree|namespace|super-prefix)/.test(word)) isElsewhere = true;
    if (word === '-C') folder = `${args[at + 1]?.startsWith('/') === true ? '' : `${folder}/`}${args[at + 1] ?? ''}`;
    if (/^(?:-c|-C|--git-dir|--work-tree|--namespace|--super-prefix|--config-env|--attr-source)$/.test(word)) at += 1;
  }
  return { name: args[at], rest: args.slice(at + 1), folder, isElsewhere };
}
