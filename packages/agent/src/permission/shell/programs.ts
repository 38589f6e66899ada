const named = (names: string): ReadonlySet<string> => new Set(names.split(' '));

export const LAUNCHERS = named(
  'sudo doas su env jobs xargs parallel nohup nice ionice chrt taskset command builtin exec eval timeout find watch setsid ' +
    'mapfile readarray compgen complete bind stdbuf unbuffer flock ssh script strace ltrace gdb chroot unshare nsenter busybox toybox time coproc trap ' +
    'su runuser sg setpriv systemd-run fakeroot setarch linux32 linux64 prlimit numactl proxychains proxychains4 torsocks ' +
    'faketime valgrind perf hyperfine rlwrap gosu su-exec tini dumb-init pkexec firejail bwrap proot cross-env ' +
    'cross-env-shell watchexec entr start-stop-daemon dbus-run-session xvfb-run choom concurrently nodemon env-cmd dotenv ' +
    'sh bash zsh dash ksh mksh fish ash rbash csh tcsh nu elvish xonsh yash oksh posh osh ysh',
);

export const BUILTIN_LAUNCHERS = named('command builtin eval time coproc');

export const SHELLS = named('sh bash zsh dash ksh mksh fish ash rbash csh tcsh nu elvish xonsh yash oksh posh osh ysh');

/** Run code in their own language, or other programs by an option. */
export const INTERPRETERS = named(
  'python python2 python3 pypy perl ruby node nodejs deno bun php lua luajit tclsh expect osascript Rscript awk gawk ' +
    'mawk nawk sed ed ex vi vim nvim view emacs nano less more man git tar rg fd sort make gmake cmake just npx bunx ' +
    'npm pnpm yarn docker podman kubectl rsync scp sftp zip unzip split tcpdump env-cmd dotenv concurrently nodemon',
);

/** Run what the project's files define, so that the command itself is enough for a rule. */
const PROJECT_RUNNERS = named('npm pnpm yarn make gmake just cmake git docker kubectl');

export const DECIDED_LATER = named('source . alias enable hash fc');

/** Run nothing else, whatever their arguments are. */
export const PLAIN_PROGRAMS = named(
  'echo printf cat head tail wc ls pwd cd pushd popd true false : grep egrep fgrep cut tr uniq nl tac rev paste comm ' +
    'diff cmp stat file du df tree date basename dirname realpath readlink seq sleep which type id whoami uname ' +
    'hostname test [ mkdir rmdir cp mv ln touch chmod chown rm exit return break continue set shift wait kill jq ' +
    'md5sum sha1sum sha256sum sha512sum cksum base64 xxd od strings column fold fmt',
);

/** Need no git and no program of the repository. */
export const SELF_CONTAINED = named(
  'find sed awk gawk mawk sort rg fd tar zip unzip gzip gunzip zcat bzip2 xz curl wget tee less more',
);

/** Built-ins that may evaluate an argument as arithmetic, where a subscript can run a command. */
export const EVALUATING = named(
  'let declare typeset local readonly export read mapfile readarray unset getopts wait printf [ test set',
);

/** Never offered for "always allow": the arguments decide what runs. */
export function isNeverOffered(program: string): boolean {
  return (
    (LAUNCHERS.has(program) || INTERPRETERS.has(program) || DECIDED_LATER.has(program)) && !PROJECT_RUNNERS.has(program)
  );
}
