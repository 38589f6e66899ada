import type { CallFacts, CallPath } from './call-facts.js';
import { createCommandPattern } from './command-pattern.js';
import type { RuleAnchors } from './path-pattern.js';
import { isProtectedPath } from './protected-files.js';
import { isPersonalSecret } from './sensitive-files.js';
import { isNeverOffered } from './shell/programs.js';
import { baseName, commandText, type ShellCommand } from './shell/shell-reading.js';

/** Would make the rule match more than the call. */
const PATTERN_SIGNS = /[*?[\]{}()!+@\\]/;
const MOST_RULES = 5;

/** Rules that allow exactly this call, every part of it, or none if that needs a broader rule. */
export function offeredRules(call: CallFacts, anchors: RuleAnchors): string[] {
  if (call.command !== undefined) return offeredCommands(call);
  switch (call.kind) {
    case 'read':
    case 'edit':
      return call.paths.every(canOffer) ? call.paths.map((path) => fileRule(path, anchors)) : [];
    case 'other':
      return call.paths.length === 0 ? [call.toolName] : [];
    case 'network':
      if (call.host !== undefined) return [`WebFetch(domain:${call.host})`];
      return call.toolName === 'web_search' ? ['WebSearch'] : [];
    case 'execute':
      return [];
  }
}

function canOffer(path: CallPath): boolean {
  const { realPath } = path;
  return realPath.startsWith('/') && !PATTERN_SIGNS.test(realPath) && !isProtectedPath(path) && !isPersonalSecret(path);
}

function fileRule({ access, realPath }: CallPath, { realRoot }: RuleAnchors): string {
  const isBelow = realPath.startsWith(`${realRoot}/`);
  return `${access === 'read' ? 'Read' : 'Edit'}(${isBelow ? realPath.slice(realRoot.length) : `/${realPath}`})`;
}

function offeredCommands({ shell, paths }: CallFacts): string[] {
  if (shell === undefined || shell.reading.obstacle !== undefined || shell.reading.files.length > 0) return [];
  if (paths.some((path) => !path.insideRoots)) return [];
  const asked = shell.reading.commands.filter(({ readOnlyFiles }) => readOnlyFiles === undefined);
  const texts = [...new Set(asked.map(commandText))];
  return asked.every(isOfferable) && texts.length <= MOST_RULES ? texts.map((text) => `Bash(${text})`) : [];
}

function isOfferable(command: ShellCommand): boolean {
  const text = commandText(command);
  const [program] = command.words;
  if (program === undefined || isNeverOffered(baseName(program.text)) || command.requiredWords > 1) return false;
  return !text.includes('*') && text === text.trim() && createCommandPattern(text).covers(command);
}
