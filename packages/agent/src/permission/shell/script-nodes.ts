import { type Command, forEachChild, type SyntaxNode } from 'unbash';
import { DECIDED_LATER, LAUNCHERS } from './programs.js';
import { readWord } from './read-word.js';
import { baseName, type ShellWord } from './shell-reading.js';

export const OBSTACLES: Readonly<Partial<Record<SyntaxNode['type'], string>>> = {
  Function: 'It defines a function.',
  Coproc: 'It starts a coprocess.',
  Select: 'It asks on the terminal.',
  TestCommand: 'It evaluates a condition of bash.',
  ArithmeticCommand: 'It evaluates arithmetic.',
  ArithmeticFor: 'It evaluates arithmetic.',
  ArithmeticExpansion: 'It evaluates arithmetic.',
  CommandExpansion: 'It runs a command inside a word.',
  ProcessSubstitution: 'It runs a command inside a word.',
  ExtendedGlob: 'An extended pattern expands to more than its text.',
  BraceExpansion: 'Braces expand to more than their text.',
  AnsiCQuoted: 'A quoted text contains escapes.',
  LocaleString: 'A quoted text is translated.',
  FileDescriptorVariable: 'A redirection sets a variable.',
};

export function launches(name: string, args: readonly ShellWord[]): boolean {
  return name === 'find' ? args.some(({ text }) => /^-(?:exec|ok)/.test(text)) : LAUNCHERS.has(name);
}

function isOpenToInput(text: string): boolean {
  return /^(?:-[iIJ]|--replace)/.test(text) || (LAUNCHERS.has(baseName(text)) && baseName(text) !== 'xargs');
}

export function readArgument(argument: Command['args'][number]): ShellWord {
  if (argument.type === 'Word') return readWord(argument);
  const { value, text } = argument;
  if (value.type === 'ArrayValue' || argument.index !== undefined) return { text, certainty: 'open', isBare: false };
  const read = readWord(value);
  return { ...read, text: `${argument.name}${argument.append === true ? '+' : ''}=${read.text}` };
}

/** Pagers, prompts and start-up files are commands in a variable. */
export function isCommandIn(name: string, value: string): boolean {
  return (
    /\$\(|`/.test(value) || /PAGER|EDITOR|VISUAL|BROWSER|COMMAND|ASKPASS|SSH|^PS\d$|ENV$|^LESS|SHELL|OPTIONS/.test(name)
  );
}

export function isFixedAssignment(child: SyntaxNode, prefix: ReadonlySet<SyntaxNode>): boolean {
  return child.type === 'Assignment' && prefix.has(child) && readArgument(child).certainty === 'fixed';
}

export function testWords(node: Extract<SyntaxNode, { type: 'TestUnary' | 'TestBinary' }>): ShellWord[] {
  return (node.type === 'TestUnary' ? [node.operand] : [node.left, node.right]).map(readWord);
}

/** Shells and programs give a meaning to other names, such as `PS4`, `CDPATH` and `http_proxy`. */
export function isPlainVariable(name: string): boolean {
  return /^[a-z][a-z0-9_]*$/.test(name) && !name.endsWith('_proxy');
}

/** Bash evaluates what is assigned to them. */
export function isIntegerVariable(name: string): boolean {
  return /^(?:S?RANDOM|(?:EPOCH)?SECONDS|LINENO|HISTCMD|BASHPID|OPTIND)$/.test(name);
}

export function isPlainSetting({ text, certainty }: ShellWord): boolean {
  return certainty === 'fixed' && /^(?:[-+][euxvfo]+|errexit|nounset|xtrace|verbose|noglob|pipefail)$/.test(text);
}

/** Built-ins after which the folder is unknown. */
export function mayMoveFolder(program: string | undefined, args?: readonly ShellWord[]): boolean {
  if (program === 'set' && args?.every(isPlainSetting) === true) return false;
  if (program === 'command' && args?.[0]?.text === '-v' && args[0].certainty === 'fixed') return false;
  return /^(?:pushd|popd|command|builtin|eval|source|\.|exec|trap|alias|enable|set|shopt)$/.test(program ?? '');
}

export function movesFolder(node: SyntaxNode): boolean {
  let found = node.type === 'Command' && (node.name?.value === 'cd' || mayMoveFolder(node.name?.value));
  forEachChild(node, (child) => {
    found ||= movesFolder(child);
  });
  return found;
}

/** Why the name of a program does not show what runs. */
export function* nameDoubts({ text, certainty }: ShellWord): Generator<string> {
  if (certainty !== 'fixed' || /[^\x21-\x7e]/.test(text)) yield 'The name of a program is only known at run time.';
  if (DECIDED_LATER.has(baseName(text))) yield `What ${baseName(text)} does is only known at run time.`;
}

/** Why the arguments of a launcher do not show what it runs. */
export function* launchDoubts(name: string, args: readonly ShellWord[]): Generator<string> {
  if (args.some(({ certainty }) => certainty !== 'fixed')) yield `What ${name} runs is only known at run time.`;
  if (name === 'xargs' && args.some(({ text }) => isOpenToInput(text))) yield 'What xargs runs comes from its input.';
  if (args.some(({ text }) => text === '{}') && args.some(({ text }) => LAUNCHERS.has(baseName(text)))) {
    yield `What ${name} runs comes from its input.`;
  }
}

export function hasCommandInSubscript({ text }: ShellWord): boolean {
  return text.includes('[') && /\$[({]|`/.test(text.slice(text.indexOf('[')));
}
