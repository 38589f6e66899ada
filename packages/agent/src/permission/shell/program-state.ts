import type { FoundFiles } from '../../ports.js';
import { type ArgumentGrammar, grammar, readArguments } from './argument-grammar.js';

/**
 * Programs that may start the version or settings that the project names are absent: cargo, rustc, go, pnpm, yarn,
 * mvn, gradle, dotnet. So are those that send requests or print keys: kubectl get, gh, docker inspect.
 */
const PRINTS_VERSION = new Set(
  'node npm npx git python python3 gcc g++ clang make cmake bash uname java docker tsc tar jq curl find sed awk gawk ruby perl php ssh tmux gh uv pip pip3 sqlite3 psql redis-cli openssl bc less vim zip unzip gzip xz'.split(
    ' ',
  ),
);
const SHORT_VERSION =
  /^(?:(?:node|npm|php|perl|ruby) -v|(?:python3?|pip3?|ssh|tmux) -V|java -version|openssl version)$/;

/** Version managers such as pyenv, nodenv, asdf and mise put a program of their own in the place of these. */
const MANAGED = new Set(
  'node npm npx python python3 pip pip3 ruby perl php java tsc uv cmake make docker kubectl gh tmux psql sqlite3 redis-cli jq rg fd fdfind'.split(
    ' ',
  ),
);

/** What a program that reads finds itself, besides the files that its command names. */
export function foundBy(program: string): FoundFiles | undefined {
  if (program === 'npm' || program === 'npx') return 'packages';
  return MANAGED.has(program) ? 'versions' : undefined;
}

const COLUMN = '(?:pid|ppid|pgid|user|comm|args|cmd|%cpu|%mem|pcpu|pmem|etime|stat|rss|vsz|tty|time|ni)';
const COLUMNS = `${COLUMN}(?:,${COLUMN})*`;
const SORTED = `(?: --sort[= ]-?${COLUMN})?`;
/** Other letters may show environments; where words contradict each other, `-ef` means `ef`. */
const PROCESSES = new RegExp(
  `^(?:(?:aux|auxw|auxww|axu|ax|axf|auxf|axjf)${SORTED}|-(?:e|A|ef|eF|aux|ax)|-(?:eo|Ao|axo|o) ${COLUMNS}${SORTED}|` +
    String.raw`-p \d+(?:,\d+)*(?: -o ${COLUMNS})?|-o ${COLUMNS} -p \d+(?:,\d+)*)$`,
);
const OPEN_PORTS =
  /^(?:-[nPt]+ )*-[nPt]*i(?: ?(?:tcp|udp)(?::\d+)?| ?:\d+)?(?: -[nPt]+| -sTCP:LISTEN| -iTCP| -iUDP)*$/i;

/** Words that may follow, as a whole. */
const FIXED: Readonly<Record<string, RegExp>> = {
  hostname: /^(?:-[fsdiI])?$/,
  lsof: OPEN_PORTS,
  man: /^(?:[1-8] )?[a-z][\w.+-]*$/,
  printenv: /^(?:HOME|PWD|USER|LOGNAME|SHELL|PATH|LANG|TERM|TMPDIR|NODE_ENV|CI)$/,
  ps: PROCESSES,
  tput: /^(?:cols|lines|colors)$/,
  ulimit: /^-[aHScdefilmnqrstuvx]$/,
};

interface StateCommand {
  readonly syntax: ArgumentGrammar;
  readonly takesNames: boolean;
}

const lists = (flags = '', valued = ''): StateCommand => ({ syntax: grammar(flags, valued), takesNames: false });
const about = (flags = '', valued = ''): StateCommand => ({ syntax: grammar(flags, valued), takesNames: true });

const CONTAINERS = lists('aqsl --all --quiet --size --latest --no-trunc', 'fn --filter --format --last');
const OBJECTS = lists('q --quiet --no-trunc', 'f --filter --format');
const PACKAGES = about('agl --all --global --long --json --parseable', '--depth --omit');

const COMMANDS: Readonly<Record<string, StateCommand>> = {
  arch: lists(),
  cal: lists(),
  'docker ps': CONTAINERS,
  'docker container ls': CONTAINERS,
  'docker images': about('aq --all --quiet --digests --no-trunc', 'f --filter --format'),
  'docker image ls': about('aq --all --quiet --digests --no-trunc', 'f --filter --format'),
  'docker network ls': OBJECTS,
  'docker volume ls': OBJECTS,
  'docker context ls': lists('q --quiet', '--format'),
  'docker port': about(),
  'docker history': about('q --quiet --no-trunc'),
  'docker diff': about(),
  'docker system df': lists('v --verbose'),
  'docker version': lists('', 'f --format'),
  'docker compose version': lists('--short'),
  'docker compose ls': lists('aq --all --quiet'),
  free: lists('bkmghtw'),
  groups: lists(),
  id: about('ugnrG'),
  'kubectl version --client': lists('', 'o --output'),
  'kubectl config current-context': lists(),
  'kubectl config get-contexts': lists('', 'o --output'),
  locale: lists('a'),
  lsblk: lists('fp'),
  lscpu: lists(),
  netstat: lists('tulnparsie'),
  nproc: lists('--all'),
  'npm ls': PACKAGES,
  'npm list': PACKAGES,
  'npm explain': about('--json'),
  'npm why': about('--json'),
  'npm root': lists('g --global'),
  'npm prefix': lists('g --global'),
  'npm pkg get': about(),
  'npm run': lists(),
  pgrep: about('flaxnocv', 'uP'),
  // Not `freeze`, which starts version control in the folders of packages.
  'pip list': lists('l --editable --local --user', '--format'),
  'pip show': about('fv --files --verbose'),
  'pip3 list': lists('l --editable --local --user', '--format'),
  'pip3 show': about('fv --files --verbose'),
  ss: lists('tulnpaesHo46'),
  uname: lists('asnrvmpio'),
  uptime: lists('ps'),
  whoami: lists(),
};

/** Whether the command prints the state of programs and of the machine: versions, processes, packages. */
export function readsState(program: string, args: readonly string[]): boolean {
  if (args.some((word) => word.includes(' ') && Object.hasOwn(FIXED, program))) return false;
  if (args.length === 1 && args[0] === '--version' && PRINTS_VERSION.has(program)) return true;
  if (SHORT_VERSION.test([program, ...args].join(' '))) return true;
  const pattern = Object.hasOwn(FIXED, program) ? FIXED[program] : undefined;
  if (pattern !== undefined) return pattern.test(args.join(' '));
  for (const count of [2, 1, 0]) {
    const name = [program, ...args.slice(0, count)].join(' ');
    const command = args.length >= count && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) continue;
    const read = readArguments(args.slice(count), command.syntax);
    return read !== undefined && (command.takesNames || read.operands.length === 0);
  }
  return false;
}
