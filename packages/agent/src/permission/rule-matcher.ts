import type { ResolvedPath } from '../ports.js';
import type { CallFacts, CallPath } from './call-facts.js';
import { type CommandMatch, createCommandPattern } from './command-pattern.js';
import { isHostPattern, matchesHost, normalHost } from './host-pattern.js';
import { createPathPattern, type PathPattern, type RuleAnchors } from './path-pattern.js';
import { isProtectedPath, protectedFileOf } from './protected-files.js';
import { namesTool, type ParsedRule, spellsTool } from './rules.js';
import type { NamedFiles } from './shell/named-files.js';
import type { ShellCommand } from './shell/shell-reading.js';

export interface RuleMatcher {
  readonly rule: string;
  /** Whether the rule is about files that commands may name. */
  readonly concernsFiles: boolean;
  readonly host?: string | undefined;
  covers(call: CallFacts): boolean;
  coversCommand(call: CallFacts, command: ShellCommand): boolean;
  coversFile(path: CallPath): boolean;
  touches(call: CallFacts, named: NamedFiles): CommandMatch;
}

/** Rules that apply to every tool of a kind. */
const WIDE_RULES: ReadonlyMap<string, string> = new Map([
  ['read_file', 'read'],
  ['edit', 'edit'],
]);
const WIDE_LIMITS: ReadonlyMap<string, string> = new Map([...WIDE_RULES, ['write_file', 'edit']]);
const ACCESS: ReadonlyMap<string, CallPath['access']> = new Map([
  ['read_file', 'read'],
  ['edit', 'write'],
  ['write_file', 'write'],
]);

/** The meaning of the specifier depends on what the called tool touches. */
export function createRuleMatcher(rule: ParsedRule, anchors: RuleAnchors): RuleMatcher {
  const { specifier, text } = rule;
  const isNamed = (call: CallFacts) => namesTool(rule, [call.toolName, ...call.aliases]);
  const access = ACCESS.get(rule.tool);
  if (specifier === undefined) {
    return {
      rule: text,
      concernsFiles: false,
      covers: (call) => isNamed(call) && spellsTool(rule, call.toolName) && protectedFileOf(call) === undefined,
      coversCommand: () => false,
      coversFile: (path) => access === path.access && !isProtectedPath(path),
      touches: (call) => (isNamed(call) ? 'match' : 'none'),
    };
  }
  const domain = rule.tool === 'web_fetch' ? /^domain:\s*(.+)$/.exec(specifier)?.[1] : undefined;
  if (domain !== undefined && isHostPattern(domain)) {
    const isAbout = (call: CallFacts) => isNamed(call) && matchesHost(domain, call.host ?? '');
    return {
      rule: text,
      concernsFiles: false,
      host: normalHost(domain),
      covers: isAbout,
      coversCommand: () => false,
      coversFile: () => false,
      touches: (call) => (isAbout(call) ? 'match' : 'none'),
    };
  }
  const command = createCommandPattern(specifier);
  const path = createPathPattern(specifier, anchors);
  const concerns = (call: CallFacts) => isNamed(call) || WIDE_RULES.get(rule.tool) === call.kind;
  const opens = (used: CallPath) => path.covers(used) && (path.isExact || !isProtectedPath(used));
  return {
    rule: text,
    concernsFiles: access !== undefined,
    covers: (call) => call.command === undefined && concerns(call) && call.paths.length > 0 && call.paths.every(opens),
    coversCommand: (call, part) => isNamed(call) && command.covers(part),
    coversFile: (used) => access === used.access && opens(used),
    touches: (call, named) => {
      if (call.command !== undefined) {
        if (isNamed(call)) return call.shell === undefined ? 'doubt' : command.touches(call.shell.reading);
        return access === undefined ? 'none' : touchesFiles(path, access, named);
      }
      if (!isNamed(call) && WIDE_LIMITS.get(rule.tool) !== call.kind) return 'none';
      // The tool names neither files nor a command, so the specifier cannot be checked.
      if (call.paths.length === 0) return isNamed(call) ? 'match' : 'none';
      return call.paths.some((used) => path.touches(used)) ? 'match' : 'none';
    },
  };
}

function touchesFiles(
  path: PathPattern,
  access: CallPath['access'],
  { files, guesses, patterns, taken, isOpen }: NamedFiles,
): CommandMatch {
  const touches = (file: ResolvedPath) => path.touches(file);
  if (files.some(touches)) return 'match';
  if (isOpen || patterns.some((pattern) => path.mayTouch(pattern)) || guesses.some(touches)) return 'doubt';
  const isTaken = taken.some(
    ({ access: taking, folder, paths }) =>
      (taking === 'any' || taking === access) && (touches(folder) || (paths?.some(touches) ?? true)),
  );
  return isTaken ? 'doubt' : 'none';
}
