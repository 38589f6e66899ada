/**
 * What can be said of a shell command without a full parser. It errs on one side only: a text is called simple
 * only when the shell cannot do anything with it but run its first word; everything else is read in pieces, each
 * of which may be a command, and rules that forbid are tried on all of them.
 */

/** Longer commands are not read at all (S18). */
const MAX_COMMAND_CHARACTERS = 100_000;
/** Words of one piece on which rules are tried; a longer piece is unclear. */
const MAX_WORDS = 500;

/** A part of a command line that may be a command of its own. */
export interface ShellPiece {
  /** Without quotes and backslashes. */
  readonly words: readonly string[];
  /** Where the command word may stand: words before it are keywords, assignments or a redirect's target. */
  readonly first: number;
  /** True when each later word may be a command too, as behind `xargs` or `sudo`. */
  readonly carries: boolean;
}

export interface ShellReading {
  readonly pieces: readonly ShellPiece[];
  /** True when what runs is decided only when it runs: variables, globs, `eval`, or more text than we read. */
  readonly isUnclear: boolean;
}

const OPERATORS = /[;&|<>`$(){}\\'"#!\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;
const ASSIGNMENT = /^[A-Za-z_]\w*\+?=/;

const KEYWORDS: ReadonlySet<string> = new Set(
  '! [[ if then elif else fi do done while until for in case esac select function coproc time'.split(' '),
);
const CARRIERS: ReadonlySet<string> = new Set(
  (
    'sudo doas su env xargs parallel nohup nice ionice chrt taskset command builtin exec timeout find watch setsid ' +
    'stdbuf unbuffer flock ssh script strace ltrace chroot unshare nsenter busybox toybox sh bash zsh dash ksh fish ash'
  ).split(' '),
);
const SHELLS: ReadonlySet<string> = new Set('sh bash zsh dash ksh fish ash'.split(' '));
const DECIDED_LATER: ReadonlySet<string> = new Set('eval source . alias trap'.split(' '));

/**
 * Whether the command is one program with plain arguments. Only such a command can be allowed by a rule. Quotes are
 * fine in the arguments as long as nothing in them could mean something to the shell.
 */
export function isSimpleCommand(command: string): boolean {
  if (command.length > MAX_COMMAND_CHARACTERS) return false;
  const [commandWord = ''] = trimSpaces(command).split(' ');
  if (ASSIGNMENT.test(commandWord) || !/^[\w./+@:%,-]+$/.test(commandWord)) return false;
  return !OPERATORS.test(withoutPlainQuotes(command));
}

/** Takes off plain spaces only: to a shell every other white space is a line's end or a part of a word. */
export function trimSpaces(command: string): string {
  return command.replace(/^ +| +$/g, '');
}

/** Quoted text without anything special inside becomes plain, so that `git commit -m "first try"` stays simple. */
function withoutPlainQuotes(command: string): string {
  return command.replace(/'([^'"\\`$]*)'|"([^'"\\`$]*)"/g, (whole, single?: string, double?: string) => {
    const inner = single ?? double ?? '';
    return OPERATORS.test(inner) ? whole : inner;
  });
}

/** Takes a command apart into everything that may be a command. */
export function readShellCommand(command: string): ShellReading {
  if (command.length > MAX_COMMAND_CHARACTERS) return { pieces: [], isUnclear: true };
  const plain = command
    .replaceAll(/\\\r?\n/g, '')
    .replaceAll(/\$\{?IFS\}?/g, ' ')
    .replaceAll(/['"\\]/g, '');
  let isUnclear = /\{\S*[,.]\S*\}/.test(command);
  const pieces: ShellPiece[] = [];
  let isRedirected = false;
  for (const part of plain.split(/(\$\(|[;&|<>`(){}\r\n])/)) {
    if (/^(?:\$\(|[;&|<>`(){}\r\n])$/.test(part)) {
      isRedirected = part === '<' || part === '>';
      continue;
    }
    const words = part.split(/\s+/).filter((word) => word !== '');
    if (words.length === 0) continue;
    const piece = toPiece(words.slice(0, MAX_WORDS), isRedirected);
    pieces.push(piece);
    isUnclear ||= words.length > MAX_WORDS || isPieceUnclear(piece);
  }
  return { pieces, isUnclear };
}

function toPiece(words: readonly string[], isRedirected: boolean): ShellPiece {
  const isLeading = (word: string) => KEYWORDS.has(word) || ASSIGNMENT.test(word);
  const position = words.findIndex((word) => !isLeading(word));
  const first = position < 0 ? words.length : position;
  return { words, first, carries: isRedirected || CARRIERS.has(baseName(words[first] ?? '')) };
}

function isPieceUnclear({ words, first, carries }: ShellPiece): boolean {
  const word = words[first];
  if (word === undefined) return false;
  const name = baseName(word);
  if (/[$*?[\]~^]/.test(word) || /[^\x20-\x7e]/.test(word) || DECIDED_LATER.has(name)) return true;
  const rest = words.slice(first + 1);
  if (SHELLS.has(name) && rest.every((argument) => argument.startsWith('-'))) return true;
  return carries && CARRIERS.has(name) && rest.some((argument) => argument.includes('$'));
}

/** The last name of a path: `/bin/rm` is `rm` to a rule that forbids. */
export function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}
