import type { ResolvedPath } from '../ports.js';
import { baseName, type ShellReading, type ShellWord } from './shell/shell-reading.js';

/** Memory, environment and open files of processes. */
const PROCESS_SECRET =
  /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?(?:environ|mem|maps|smaps|auxv|pagemap|fd|fdinfo|map_files|root|cwd|stack)(?:\/|$)|^\/proc\/kcore$|^\/dev\/k?mem$/;
/** Secrets in our data directory. */
const OWN_SECRET = /(?:^|\/)(?:[^/]*(?:oauth|token|credential|secret)[^/]*|server\.json[^/]*)(?:\/|$)/i;
/** Personal keys and passwords; reading them requires a question. */
const PERSONAL_SECRET =
  /(?:^|\/)(?:\.ssh|\.gnupg|\.aws|\.kube|\.docker|\.azure|\.config\/(?:gh|gcloud)|\.netrc|\.git-credentials|\.pypirc|\.pgpass|\.my\.cnf|\.vault-token|\.boto|\.s3cfg|\.cargo\/credentials[^/]*|\.gem\/credentials|\.terraform\.d\/credentials[^/]*|id_(?:rsa|dsa|ecdsa|ed25519))(?:\/|$)/i;
/** Files of programs in which keys, addresses with keys or typed passwords are usual. */
const PROGRAM_DATA = [
  /(?:^|\/)(?:\.env(?:rc|\.[^/]*)?|_netrc|\.(?:npm|yarn|curl|wget)rc(?:\.yml)?|\.?bunfig\.toml)$/i,
  /(?:^|\/)(?:\.[^/]*hist(?:ory|file)|[^/]*_history|\.lesshst|\.viminfo)$/i,
  /(?:^|\/)(?:\.?credentials|auth\.json|\.claude\.json|\.(?:qwen|claude|codex|gemini)\/[^/]*\.(?:json|toml))$/i,
  /(?:oauth|token|credential|secret|password)[^/]*\.(?:json|ya?ml|toml|ini|conf|txt|db|sqlite)$/i,
  /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|gpg)$/i,
  /(?:^|\/)(?:\.git|\.password-store|keyrings|keychains|\.mozilla|\.thunderbird)\//i,
];
/** Folders of the home directory that contain others with secrets. */
const PARENTS_OF_SECRETS: readonly string[] = ['.config'];
/** The end of a name whose beginning is only known at run time. */
const PROCESS_TAIL = /^\/?proc\/|(?:\$\w+|[}`)*?\]])\/(?:environ|auxv|pagemap|mem|maps|smaps)$/;

export function isOwnSecret(
  { path, realPath }: Pick<ResolvedPath, 'path' | 'realPath'>,
  dataDirs: readonly string[],
): boolean {
  return [path, realPath].some(
    (name) =>
      PROCESS_SECRET.test(name) ||
      dataDirs.some((folder) => name.startsWith(`${folder}/`) && OWN_SECRET.test(name.slice(folder.length))),
  );
}

export function isPersonalSecret({ path, realPath }: Pick<ResolvedPath, 'path' | 'realPath'>): boolean {
  return PERSONAL_SECRET.test(path) || PERSONAL_SECRET.test(realPath);
}

/** Also covers program settings, histories and `.env`. For files that are read without approval, such as imports. */
export function mayHoldKeys(found: Pick<ResolvedPath, 'path' | 'realPath'>): boolean {
  const names = [found.path, found.realPath];
  return isPersonalSecret(found) || PROGRAM_DATA.some((kind) => names.some((name) => kind.test(name)));
}

/** Whether reading everything below a folder may read such a file. */
export function holdsSecrets({ path, realPath }: ResolvedPath, dataDirs: readonly string[]): boolean {
  return [path, realPath].some(
    (name) =>
      /^\/(?:proc(?:\/.*)?)?$/.test(name) ||
      dataDirs.some((folder) => `${folder}/`.startsWith(`${name}/`) || name.startsWith(`${folder}/server`)),
  );
}

/** A word that may name such a file when the command runs. */
export function unknownSecret(
  { commands, inner, files }: Pick<ShellReading, 'commands' | 'inner' | 'files'>,
  dataDirs: readonly string[],
): string | undefined {
  const mayName = (text: string) =>
    PROCESS_TAIL.test(text) || dataDirs.some((folder) => text.includes(`/${baseName(folder)}/server`));
  const open = files.find(({ path, shown }) => path === undefined && mayName(shown));
  if (open !== undefined) return open.shown;
  for (const { words } of [...commands, ...inner]) {
    if (showsEnvironments(words) || entersProcess(words)) return words.map(({ text }) => text).join(' ');
    const word = words.find(({ certainty, text }) => certainty !== 'fixed' && mayName(text));
    if (word !== undefined) return word.text;
  }
  return undefined;
}

/** `ps e`, unlike `ps -e`. */
function showsEnvironments([program, ...args]: readonly ShellWord[]): boolean {
  if (baseName(program?.text ?? '') !== 'ps') return false;
  return args.some(({ text }, index) => {
    const isValue = /^-[A-Za-z]*[CuUgGoptsqk]$|^--/.test(args[index - 1]?.text ?? '');
    return text === '-E' || (!isValue && /^[A-Za-z]*e[A-Za-z]*$/.test(text));
  });
}

const ENTERING = /^(?:gcore|pstack|reptyr|py-spy|rbspy|pyrasite|gdbserver|bpftrace)$/;
const MAY_ENTER: Readonly<Record<string, RegExp>> = {
  gdb: /^--?p(?:id|$|=|\d|\$)|^-p|attach|^\d+$|^\$/,
  lldb: /^(?:-p|--attach)|attach/,
  strace: /^-[A-Za-z]*p|^--attach/,
  ltrace: /^-[A-Za-z]*p/,
  perf: /^(?:-[A-Za-z]*p|--pid)/,
  rr: /^attach$/,
  dlv: /^attach$/,
  node: /^inspect$/,
  nsenter: /^(?:-[A-Za-z]*[ta]|--(?:t|a))/,
};

/** Debuggers and tracers show the memory and the variables of a running process. */
function entersProcess([program, ...args]: readonly ShellWord[]): boolean {
  const name = baseName(program?.text ?? '');
  if (ENTERING.test(name)) return true;
  const option = Object.hasOwn(MAY_ENTER, name) ? MAY_ENTER[name] : undefined;
  return option !== undefined && args.some(({ text }) => option.test(text)) && !isStarting(name, args);
}

/** `gdb --args x -p 1` gives the option to the program that it starts. `strace x -p 1` does too, but is not exempt. */
function isStarting(name: string, args: readonly ShellWord[]): boolean {
  return name === 'gdb' && args[0]?.text === '--args';
}

/** Whether a folder of the user contains folders with secrets. Both are real paths. */
export function containsPersonalSecrets(folder: string, homeDirectory: string): boolean {
  return PARENTS_OF_SECRETS.some((name) => folder === `${homeDirectory}/${name}`);
}
