import type { Random } from './random.js';

/** Commands that the rules of the test allow, or that only look. */
const HARMLESS = [
  'git status',
  'git log -1',
  'git log --oneline -3',
  'echo ok',
  'echo "a b" c',
  'ls',
  'ls -la',
  'cat file.txt',
  'grep -n a file.txt',
  'wc -l file.txt',
  'head -1 file.txt',
  'true',
  'pwd',
  'cat file.txt | wc -l',
  'cd sub && ls',
  'timeout 5 git status',
];

/** Texts that contain the forbidden command and never run it. */
const INERT = [
  "echo 'touch C'",
  'echo "touch C"',
  'echo touch C',
  'git status # && touch C',
  String.raw`echo "\$(touch C)"`,
  "echo '$(touch C)'",
  String.raw`echo \; touch C`,
  String.raw`echo a \| touch C`,
  "cat <<'END'\n$(touch C)\nEND",
  'cat <<END\ntouch C\nEND',
  'grep touch file.txt',
  "git log --grep='touch C'",
  'ls touch',
  'echo a#touch',
  "echo '`touch C`'",
];

/** The forbidden command in spellings that the shell takes for the same (S7, S16). */
const SPELLINGS = [
  'touch C',
  "'touch' C",
  't"ou"ch C',
  String.raw`\touch C`,
  String.raw`to\uch C`,
  String.raw`$'\x74ouch' C`,
  String.raw`$'\164ouch' C`,
  '$"touch" C',
  'touch\tC',
  'to\\\nuch C',
  'tou${x}ch C',
  'touch$IFS"C"',
  'touch${IFS}C',
  '{touch,C}',
  '$(echo touch) C',
  '`echo touch` C',
  'x=touch; $x C',
  'x=tou; ${x}ch C',
  'x=touch y=C; $x $y',
  'X=1 touch C',
  '"$PWD"/../bin/touch C',
  '../bin/touch C',
  '/usr/bin/touch C',
  '/???/bin/touch C',
  '../bin/t*h C',
  '../bin/tou[c]h C',
  '2>/dev/null touch C',
  '</dev/null touch C',
  '! touch C',
  'time touch C',
  'time -p touch C',
  'set -- touch C; "$@"',
  'read -r x <<< touch; $x C',
  'a=(touch C); "${a[@]}"',
  'for x in touch; do $x C; done',
  'touch() { command touch "$@"; }; touch C',
];

/** Ways to have a command run; `%s` is the command and `%q` the command in quotes (S3–S6, S8–S13). */
const LAUNCHERS = [
  'env %s',
  'env -i PATH="$PATH" CASE="$CASE" %s',
  'env -i %s',
  'env -u PATH %s',
  'env X=1 %s',
  'env -S %q',
  'command %s',
  'command -p %s',
  'command -pv %s',
  'builtin command %s',
  'exec %s',
  'exec -a git %s',
  'eval %s',
  'eval %q',
  'nohup %s',
  'timeout 5 %s',
  'timeout -k 1 5 %s',
  'nice %s',
  'nice -n 3 %s',
  'setsid -w %s',
  'stdbuf -o0 %s',
  'xargs %s < /dev/null',
  'echo C | xargs -I{} %s',
  'sh -c %q',
  'bash -c %q',
  'bash -ec %q',
  'bash -c "$0" %q',
  'bash -c \'"$@"\' x %s',
  "sh -c '$0' %q",
  'bash <<< %q',
  'echo %q | bash',
  'echo %q | sh -s',
  'bash <<END\n%s\nEND',
  "bash <<'END'\n%s\nEND",
  'cat <<END\n$(%s)\nEND',
  '. <(echo %q)',
  'source /dev/stdin <<< %q',
  'find . -maxdepth 0 -exec %s \\;',
  'find . -maxdepth 0 -exec sh -c %q \\;',
  'trap %q EXIT',
  'trap %q DEBUG; echo x',
  'f() { %s; }; f',
  'function f { %s; }; f',
  'git() { %s; }; git status',
  'coproc %s',
  'echo $(%s)',
  'echo `%s`',
  'echo "$(%s)"',
  'echo "a $(echo "$(%s)")"',
  'cat <(%s)',
  'echo x > >(%s)',
  'echo x | tee >(%s)',
  'echo ${x:-$(%s)}',
  'echo ${x:=$(%s)}',
  'echo $(( $(%s) + 1 ))',
  'echo $(( a[$(%s)] ))',
  "[[ -v 'a[$(%s)]' ]]",
  "[[ 'a[$(%s)]' -eq 0 ]]",
  "test -v 'a[$(%s)]'",
  "[ -v 'a[$(%s)]' ]",
  "printf -v 'a[$(%s)]' x",
  "printf '%%n' 'a[$(%s)]'",
  "read 'a[$(%s)]' <<< x",
  "unset 'a[$(%s)]'",
  "declare -i n='a[$(%s)]'",
  "let 'a[$(%s)]=1'",
  "x='a[$(%s)]'; echo $((x))",
  "x='a[$(%s)]'; [ -v $x ]",
  "x='$(%s)'; echo ${x@P}",
  "PS4='$(%s)'; set -x; echo x",
  'x=$(%s)',
  'X=$(%s) git status',
  'for x in $(%s); do echo $x; done',
  'case $(%s) in *) echo;; esac',
  'case x in $(%s)) echo;; esac',
  'echo x > "$(%s)f"',
  'mapfile -c 1 -C %q <<< x',
  'awk \'BEGIN{system("%s")}\'',
  "sed -n '1e %s' file.txt",
  'hash -p ../bin/touch git; git C',
  'alias git=%q; git',
  'shopt -s expand_aliases\nalias g=%q\ng',
  'PATH=../bin:$PATH %s',
  'PATH=/usr/bin:/bin %s',
  'PATH=/usr/bin:/bin; %s',
  'select x in a; do %s; done <<< 1',
  'until %s; do break; done',
  'while %s; do break; done',
  'if %s; then echo; fi',
  'echo ${!x} %q | . /dev/stdin',
];

/** Places in a script for a command. */
const PLACES = [
  'git status && %s',
  'git status || %s',
  'git status; %s',
  'git status & %s',
  'git status | %s',
  'git status |& %s',
  'git status\n%s',
  'git status\r\n%s',
  'git status\f%s',
  'git status\u2028%s',
  'git status # c\n%s',
  'echo a\\\n&& %s',
  '%s && git status',
  '%s | cat',
  '%s &',
  '(%s)',
  '( ( %s ) )',
  '{ %s; }',
  '{ echo a; %s; } > /dev/null',
  'if true; then %s; fi',
  'if false; then echo; else %s; fi',
  'for x in 1 2; do %s; done',
  'case x in x) %s;; esac',
  'case x in y) echo;; *) %s;; esac',
  'until %s; do break; done',
  'false || %s',
  'true && { %s; }',
  'cd sub; %s',
  'cd sub && %s',
  'echo "x" ; %s',
  "echo 'a;b'; %s",
  'echo "unclosed; %s',
  'cat <<END\nx\nEND\n%s',
  "cat <<'END' && %s\nx\nEND",
];

const STRANGE = [...'\'"\\$`(){}[];&|<>!#~*?=\n\t ', '$(', '${', '<<', '&&', "$'", '\r', '((', ';;'];

const quote = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

const fill = (pattern: string, command: string): string =>
  pattern.replaceAll(/%([sq%])/g, (_, kind: string) => (kind === '%' ? '%' : kind === 'q' ? quote(command) : command));

/** A command that may run `touch`, hides that it does, or only seems to. */
export function evasion(random: Random): string {
  let command = innermost(random);
  const depth = random.below(3);
  for (let level = 0; level < depth; level += 1) command = fill(random.pick(LAUNCHERS), command);
  if (random.chance(60)) command = fill(random.pick(PLACES), command);
  if (random.chance(20)) command = fill(random.pick(PLACES), command);
  if (random.chance(30)) command = `${random.pick(HARMLESS)}${random.pick([' && ', '; ', ' | ', '\n'])}${command}`;
  for (let change = 0; change < 2 && random.chance(20); change += 1) command = disturbed(command, random);
  return command;
}

function innermost(random: Random): string {
  const kind = random.below(10);
  if (kind < 5) return random.pick(SPELLINGS);
  return random.pick(kind < 8 ? INERT : HARMLESS);
}

/** One character more, less or other. */
function disturbed(command: string, random: Random): string {
  const at = random.below(command.length + 1);
  return command.slice(0, at) + (random.chance(70) ? random.pick(STRANGE) : '') + command.slice(at + random.below(2));
}
