import type { ResolvedPath } from '../ports.js';
import type { CallFacts } from './call-facts.js';
import { type CommandMatch, createCommandPattern } from './command-pattern.js';
import { createPathPattern, type RuleAnchors, toSlashes } from './path-pattern.js';
import { protectedFileOf } from './protected-files.js';
import { namesTool, type ParsedRule } from './rules.js';
import { readShellCommand, type ShellReading } from './shell-reading.js';

/** A shell command, read once for all rules that may forbid it. */
export interface CommandReading {
  readonly shell: ShellReading;
  /** Every word of the command, as if it named a file. */
  readonly files: readonly ResolvedPath[];
}

/** For calls that run no command. */
export const NOTHING_READ: CommandReading = { shell: { pieces: [], isUnclear: false }, files: [] };

/** One rule, ready to be tried. */
export interface RuleMatcher {
  readonly rule: string;
  /** Whether it surely fits all of the call: for allow rules. */
  covers(call: CallFacts): boolean;
  /** Whether it fits any of it: for deny and ask rules. */
  touches(call: CallFacts, reading: CommandReading): CommandMatch;
}

/** Reading rules hold for every tool that reads files, editing rules for every tool that changes them. */
const WIDE_RULES: Readonly<Record<string, string>> = { read_file: 'read', edit: 'edit' };

/** Makes a rule ready; what its specifier means depends on what the tool of a call touches. */
export function createRuleMatcher(rule: ParsedRule, anchors: RuleAnchors): RuleMatcher {
  const { specifier, text } = rule;
  const isNamed = (call: CallFacts) => namesTool(rule, [call.toolName, ...call.aliases]);
  if (specifier === undefined) {
    return {
      rule: text,
      // A protected file is opened only by a rule that names it.
      covers: (call) => isNamed(call) && protectedFileOf(call) === undefined,
      touches: (call) => (isNamed(call) ? 'match' : 'none'),
    };
  }
  const command = createCommandPattern(specifier);
  const path = createPathPattern(specifier, anchors);
  const concerns = (call: CallFacts) => isNamed(call) || WIDE_RULES[rule.tool] === call.kind;
  const isAboutFiles = Object.hasOwn(WIDE_RULES, rule.tool) || rule.tool === 'write_file';
  return {
    rule: text,
    covers: (call) => {
      if (call.command !== undefined) {
        return isNamed(call) && call.paths.every((used) => used.insideRoots) && command.covers(call.command);
      }
      return (
        concerns(call) &&
        call.paths.length > 0 &&
        call.paths.every((used) => path.covers(used)) &&
        (path.isExact || protectedFileOf(call) === undefined)
      );
    },
    touches: (call, reading) => {
      if (call.command !== undefined) {
        if (isNamed(call)) return command.touches(reading.shell);
        return isAboutFiles && reading.files.some((file) => path.touches(file)) ? 'match' : 'none';
      }
      if (!concerns(call)) return 'none';
      // A tool that names neither files nor a command: what the rule means is not ours to judge.
      if (call.paths.length === 0) return isNamed(call) ? 'match' : 'none';
      return call.paths.some((used) => path.touches(used)) ? 'match' : 'none';
    },
  };
}

/** Reads a command for {@link RuleMatcher.touches}. */
export function readCommand(command: string, anchors: RuleAnchors): CommandReading {
  const shell = readShellCommand(command);
  const words = shell.pieces.flatMap((piece) => piece.words.flatMap((word) => [word, ...word.split(/[=:,]/)]));
  const names = [...new Set(words)].filter((word) => word !== '' && !word.startsWith('-'));
  return { shell, files: names.map((name) => asFile(name, anchors.root)) };
}

/** A word of a command as a file name: relative ones start at the workspace, `.` and `..` resolved by the text. */
function asFile(word: string, root: string): ResolvedPath {
  const names: string[] = [];
  const base = toSlashes(root);
  for (const name of (word.startsWith('/') ? word : `${base}/${word}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const path = `${base.startsWith('/') ? '/' : ''}${names.join('/')}`;
  return { path, realPath: path, insideRoots: false };
}
