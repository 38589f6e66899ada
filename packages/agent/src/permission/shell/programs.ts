const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Programs and built-ins that run what their arguments say (S10). */
export const LAUNCHERS = named(
  'sudo doas su env xargs parallel nohup nice ionice chrt taskset command builtin exec eval timeout find watch setsid ' +
    'mapfile readarray compgen complete bind stdbuf unbuffer flock ssh script strace ltrace gdb chroot unshare nsenter busybox toybox time coproc trap ' +
    'sh bash zsh dash ksh mksh fish ash rbash csh tcsh',
);

/** Those of them that run built-ins too. */
export const BUILTIN_LAUNCHERS = named('command builtin eval time coproc');

export const SHELLS = named('sh bash zsh dash ksh mksh fish ash rbash csh tcsh');

/** Programs that take a program of their own language, or are told by an option to run something (S11–S13). */
export const INTERPRETERS = named(
  'python python2 python3 pypy perl ruby node nodejs deno bun php lua luajit tclsh expect osascript Rscript awk gawk ' +
    'mawk nawk sed ed ex vi vim nvim view emacs nano less more man git tar rg fd sort make gmake cmake just npx bunx ' +
    'npm pnpm yarn docker podman kubectl rsync scp sftp zip unzip split tcpdump env-cmd dotenv concurrently nodemon',
);

/** What these run stands in the files of the project, so that the whole command says it. */
const PROJECT_RUNNERS = named('npm pnpm yarn make gmake just cmake git docker kubectl');

/** What they run stands in a file or comes when they run. */
export const DECIDED_LATER = named('source . alias enable hash');

/** Programs that run nothing else, whatever their arguments are. */
export const PLAIN_PROGRAMS = named(
  'echo printf cat head tail wc ls pwd cd pushd popd true false : grep egrep fgrep cut tr uniq nl tac rev paste comm ' +
    'diff cmp stat file du df tree date basename dirname realpath readlink seq sleep which type id whoami uname ' +
    'hostname test [ mkdir rmdir cp mv ln touch chmod chown rm exit return break continue set shift wait kill jq ' +
    'md5sum sha1sum sha256sum sha512sum cksum base64 xxd od strings column fold fmt',
);

/** Built-ins of which an argument may be evaluated as arithmetic, where a subscript can hold a command (S5). */
export const EVALUATING = named(
  'let declare typeset local readonly export read mapfile readarray unset getopts wait printf [ test',
);

/** Never offered for "always allow": what runs is decided by their arguments (S24). */
export function isNeverOffered(program: string): boolean {
  return (
    (LAUNCHERS.has(program) || INTERPRETERS.has(program) || DECIDED_LATER.has(program)) && !PROJECT_RUNNERS.has(program)
  );
}
