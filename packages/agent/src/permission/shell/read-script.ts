import { type Command, forEachChild, type ParseError, parse, type Redirection, type SyntaxNode } from 'unbash';
import { describeCommand } from './describe-command.js';
import { eitherFolder, type Folders, filesIn, foldersAfter } from './folder-track.js';
import { attachedValues } from './option-words.js';
import { moreThanPlain } from './plain-script.js';
import { BUILTIN_LAUNCHERS, DECIDED_LATER, EVALUATING, SHELLS } from './programs.js';
import { readWord } from './read-word.js';
import type { ReadingBudget } from './reading-budget.js';
import { mayExecute } from './required-words.js';
import {
  hasCommandInSubscript,
  isCommandIn,
  isFixedAssignment,
  isIntegerVariable,
  isPlainSetting,
  isPlainVariable,
  launchDoubts,
  launches,
  mayMoveFolder,
  movesFolder,
  nameDoubts,
  OBSTACLES,
  readArgument,
  testWords,
} from './script-nodes.js';
import { baseName, type ShellCommand, type ShellFile, type ShellReading, type ShellWord } from './shell-reading.js';

const MAX_DEPTH = 6;

/** Words of a launcher that are tried as commands. */
const MAX_WORDS = 200;

const MAX_ARGUMENTS = 2000;
const UNKNOWN = { assignments: [], readOnlyFiles: undefined, requiredWords: 1 };

interface ScriptReaderOptions {
  readonly depth: number;
  readonly workspace: string;
  readonly budget: ReadingBudget;
}

/**
 * Collects what a script does and never guesses: `obstacle` if it does more than its commands show, `unclear` if
 * even the commands are unknown.
 */
export class ScriptReader {
  readonly #options: ScriptReaderOptions;
  readonly #commands: ShellCommand[] = [];
  readonly #inner: ShellCommand[] = [];
  readonly #files: ShellFile[] = [];
  readonly #innerFiles: ShellFile[] = [];
  readonly #texts: string[] = [];
  readonly #assigned: ShellWord[] = [];
  #source = '';
  #obstacle: string | undefined;
  #complexity: string | undefined;
  #unclear: string | undefined;
  #setsVariables = false;
  #evaluates = false;
  #isRepeated = false;

  constructor(options: ScriptReaderOptions) {
    this.#options = options;
  }

  get reading(): ShellReading {
    const evaluated = this.#evaluates && this.#setsVariables ? 'A variable is evaluated as arithmetic.' : undefined;
    return {
      commands: this.#commands,
      inner: this.#inner,
      files: this.#files,
      innerFiles: this.#innerFiles,
      texts: this.#texts,
      assigned: this.#assigned,
      obstacle: this.#obstacle ?? this.#unclear ?? evaluated,
      complexity: this.#complexity ?? this.#unclear,
      unclear: this.#unclear ?? evaluated,
    };
  }

  readText(text: string, folders: Folders): Folders {
    this.#source = text;
    const script = parse(text);
    this.#readErrors(script.errors);
    if (this.#options.depth === 0) this.#complexity = moreThanPlain(script);
    return this.#visit(script, folders);
  }

  #readErrors(errors: readonly ParseError[] | undefined): void {
    const [error] = errors ?? [];
    if (error !== undefined) this.#doubt(`The command cannot be read: ${error.message}.`);
  }

  #block(reason: string): void {
    this.#obstacle ??= reason;
  }

  #doubt(reason: string): void {
    this.#unclear ??= reason;
  }

  #mayRead(steps: number): boolean {
    if (this.#options.budget.take(steps)) return true;
    this.#doubt('The command is too long to be read to its end.');
    return false;
  }

  #visit(node: SyntaxNode, folders: Folders): Folders {
    if (!this.#mayRead(1)) return undefined;
    const obstacle = OBSTACLES[node.type];
    if (obstacle !== undefined) this.#block(obstacle);
    switch (node.type) {
      case 'Command':
        return this.#visitCommand(node, folders);
      case 'AndOr':
        return this.#visitAndOr(node.commands, node.operators, folders);
      case 'ArithmeticFor':
        this.#doubtQuotes(this.#source.slice(node.pos, node.body.pos));
        return this.#visitRepeated(node, folders);
      case 'Function':
      case 'For':
      case 'While':
      case 'Select':
        return this.#visitRepeated(node, folders);
      case 'Redirect':
      case 'HereDoc':
      case 'HereString':
        this.#visitRedirection(node, folders);
        break;
      case 'ParameterExpansion':
        if (readWord({ text: node.text, value: node.text, parts: [node] }).certainty === 'open') {
          this.#block('An expansion is more than a plain variable.');
        }
        if (node.prefix === '!' || node.operation?.type === 'Transform' || node.index !== undefined) {
          this.#doubt('An expansion is evaluated once more.');
        }
        if (node.operation?.type === 'Slice') this.#judgeArithmetic(node.text.slice(node.text.indexOf(':')));
        break;
      case 'ArithmeticCommand':
      case 'ArithmeticExpansion':
        this.#doubtQuotes(node.type === 'ArithmeticCommand' ? node.body : node.text);
        break;
      case 'ArithmeticWord':
        if (/[A-Za-z_]/.test(node.value)) this.#evaluates = true;
        break;
      case 'TestUnary':
      case 'TestBinary':
        if (/^-(?:v|R|eq|ne|lt|le|gt|ge)$/.test(node.operator)) this.#doubtSubscripts(testWords(node));
        break;
      case 'Assignment':
        this.#setsVariables = true;
        this.#block('It sets a variable.');
        if (node.index !== undefined) this.#judgeArithmetic(node.index.text);
        if (isIntegerVariable(node.name)) this.#judgeArithmetic(node.text.slice(node.name.length));
        this.#assigned.push(readArgument(node));
        if (node.value.type === 'ArrayValue' || isCommandIn(node.name, node.value.value)) {
          this.#readLaunchedScript(readArgument(node).text, folders);
        }
        break;
      case 'Script':
        if ('errors' in node) this.#readErrors(node.errors);
        break;
      default:
        break;
    }
    return this.#visitChildren(node, folders);
  }

  #doubtQuotes(arithmetic: string): void {
    if (/['"\\]/.test(arithmetic)) this.#doubt('Arithmetic contains quotes.');
  }

  #judgeArithmetic(text: string): void {
    this.#doubtQuotes(text);
    if (/[A-Za-z_$]/.test(text)) this.#evaluates = true;
  }

  #visitChildren(node: SyntaxNode, folders: Folders): Folders {
    let current = folders;
    forEachChild(node, (child) => {
      const after = this.#visit(child, current);
      // Background jobs, pipes and subshells keep their folder; both are possible.
      current = after === current ? current : eitherFolder(current, after);
    });
    return current;
  }

  /** `&&` implies that the `cd` succeeded. */
  #visitAndOr(commands: readonly SyntaxNode[], operators: readonly string[], folders: Folders): Folders {
    let all = folders;
    let succeeded = folders;
    for (const [index, command] of commands.entries()) {
      const before = index > 0 && operators[index - 1] === '&&' ? succeeded : all;
      succeeded = this.#visit(command, before);
      all = eitherFolder(all, succeeded);
    }
    return all;
  }

  #visitRepeated(node: SyntaxNode, folders: Folders): Folders {
    const wasRepeated = this.#isRepeated;
    this.#isRepeated = true;
    if (node.type === 'For' || node.type === 'Select') {
      this.#setsVariables = true;
      if (!isPlainVariable(node.name.value)) this.#block('Its loop sets a variable that programs read.');
      if (isIntegerVariable(node.name.value)) this.#evaluates = true;
      this.#assigned.push({ text: `${node.name.value}=`, certainty: 'open', isBare: false });
    }
    const after = this.#visitChildren(node, !wasRepeated && movesFolder(node) ? undefined : folders);
    this.#isRepeated = wasRepeated;
    return after;
  }

  #visitRedirection(node: Redirection, folders: Folders): void {
    if (node.type === 'HereDoc') {
      this.#texts.push(node.body.text);
      if (node.closing === undefined) this.#doubt('A here-document has no end.');
      return;
    }
    if (node.type === 'HereString') {
      if (node.target !== undefined) this.#texts.push(readWord(node.target).text);
      return;
    }
    const target = node.target === undefined ? undefined : readWord(node.target);
    if (target === undefined) return;
    if (/^[<>]&$/.test(node.operator) && /^(?:\d+-?|-)$/.test(target.text)) return;
    const access = node.operator === '<' || node.operator === '<&' ? 'read' : 'write';
    const paths = target.certainty === 'fixed' ? filesIn(folders, target.text) : undefined;
    for (const path of paths ?? [undefined]) this.#files.push({ path, shown: target.text, access });
  }

  #visitCommand(node: Command, folders: Folders): Folders {
    const args = node.args.slice(0, MAX_ARGUMENTS).map(readArgument);
    if (args.length < node.args.length) this.#doubt('A command has too many words to be read.');
    const words = node.name === undefined ? [] : [readWord(node.name), ...args];
    const prefixes = node.prefix.filter((part) => part.type === 'Assignment').map(readArgument);
    const prefix = new Set<SyntaxNode>(node.prefix);
    const isOnlyAssignment = words.length === 0;
    // A prefix applies to its own command; alone, it changes later ones.
    const obstacle = this.#obstacle;
    forEachChild(node, (child) => {
      this.#visit(child, folders);
      if (child.type === 'Assignment' && !isOnlyAssignment && isFixedAssignment(child, prefix))
        this.#obstacle = obstacle;
    });
    if (isOnlyAssignment) return folders;
    const { workspace } = this.#options;
    const command = describeCommand(words, prefixes, { folders, workspace });
    this.#commands.push(command);
    this.#judgeProgram(command);
    return this.#folderAfter(command, folders);
  }

  #folderAfter({ words }: ShellCommand, folders: Folders): Folders {
    const [program, target] = words;
    if (mayMoveFolder(program?.text, words.slice(1))) return undefined;
    if (program?.text !== 'cd') return folders;
    if (words.length !== 2 || target?.certainty !== 'fixed') return undefined;
    return this.#isRepeated ? undefined : foldersAfter(folders, target.text);
  }

  #judgeProgram({ words, folders, readOnlyFiles }: ShellCommand): void {
    const [program, ...args] = words;
    if (program === undefined) return;
    const name = baseName(program.text);
    for (const reason of nameDoubts(program)) this.#doubt(reason);
    if (readOnlyFiles === undefined) this.#judgeStarting(words);
    if (EVALUATING.has(name)) this.#judgeEvaluating(name, args);
    if (launches(name, args)) this.#readLaunched(name, args, folders);
  }

  #judgeEvaluating(name: string, args: readonly ShellWord[]): void {
    if (/^(?:read|mapfile|readarray|getopts)$/.test(name)) this.#setsVariables = true;
    if (name === 'set' && !args.every(isPlainSetting)) this.#setsVariables = true;
    if (args.some(({ text }) => isIntegerVariable(text))) this.#evaluates = true;
    if (name === 'let' || args.some(({ text }) => text === '-v' || text === '-i')) {
      this.#evaluates ||= args.some(({ text }) => /[A-Za-z_]/.test(text));
    }
    this.#doubtSubscripts(args);
  }

  /** Evaluating a subscript runs the command in it. */
  #doubtSubscripts(words: readonly ShellWord[]): void {
    if (words.some(hasCommandInSubscript)) this.#doubt('A subscript contains a command.');
    if (words.some(({ certainty }) => certainty !== 'fixed')) this.#evaluates = true;
  }

  #readLaunched(name: string, args: readonly ShellWord[], folders: Folders): void {
    for (const reason of launchDoubts(name, args)) this.#doubt(reason);
    if (args.length > MAX_WORDS) this.#doubt(`${name} has too many arguments to be read.`);
    const read = args.slice(0, MAX_WORDS);
    for (const { text } of read) this.#readLaunchedScript(text, folders);
    for (let index = 0; index < read.length; index += 1) {
      const words = read.slice(index);
      if (!this.#mayRead(words.length)) return;
      this.#inner.push({ ...UNKNOWN, folders, words });
      if (name !== 'find') this.#readAttached(words, folders);
      this.#judgeStarting(words);
      this.#judgeBuiltin(words, [name, ...read.slice(0, index).map(({ text }) => baseName(text))]);
    }
  }

  #judgeBuiltin([program]: readonly ShellWord[], before: readonly string[]): void {
    const name = program?.text ?? '';
    if (DECIDED_LATER.has(name) && before.some((word) => BUILTIN_LAUNCHERS.has(word))) {
      this.#doubt(`What ${name} does is only known at run time.`);
    }
  }

  #judgeStarting([program, ...args]: readonly ShellWord[]): void {
    const name = baseName(program?.text ?? '');
    const texts = args.map(({ text }) => text);
    if (SHELLS.has(name) && texts.every((text) => /^[-+]/.test(text))) {
      this.#doubt('A shell reads its commands from standard input.');
    }
    if (mayExecute(name, texts)) this.#block(`${name} may run another program.`);
  }

  /** `-S'rm x'`, `-Srm` and `--split-string=rm` hold a script or its first word. */
  #readAttached([word, ...rest]: readonly ShellWord[], folders: Folders): void {
    for (const text of attachedValues(word?.text ?? '')) {
      this.#readInnerScript(text, folders);
      const words = [{ text, certainty: word?.certainty ?? 'open', isBare: false }, ...rest];
      if (!this.#mayRead(words.length)) return;
      this.#inner.push({ ...UNKNOWN, folders, words });
    }
  }

  #readLaunchedScript(text: string, folders: Folders): void {
    for (const script of new Set([text, text.replace(/^[A-Za-z_-][\w-]*\+?=/, '')])) {
      this.#readInnerScript(script, folders);
    }
  }

  #readInnerScript(script: string, folders: Folders): void {
    if (!/[\s;&|<>()$`{}"'\\]/.test(script) || script === '{}' || script === ';') return;
    if (this.#options.depth >= MAX_DEPTH) return this.#doubt('The scripts are nested too deeply.');
    const reader = new ScriptReader({ ...this.#options, depth: this.#options.depth + 1 });
    reader.readText(script, folders);
    const { commands, inner, texts, files, innerFiles, assigned, unclear } = reader.reading;
    this.#inner.push(...commands, ...inner);
    this.#texts.push(...texts);
    this.#innerFiles.push(...files, ...innerFiles);
    this.#assigned.push(...assigned);
    if (unclear !== undefined) this.#doubt(unclear);
  }
}
