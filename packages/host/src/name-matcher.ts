import {
  AgentError,
  BUILTIN_TOOL_NAMES,
  findBuiltinTool,
  type HookEvent,
  type ToolVocabulary,
  toolAliases,
} from '@qwen/protocol';
import { findMistypedTools, isToolOfOthers } from './config/tool-selection.js';

export type NameMatcher = (names: readonly string[]) => string | undefined;

const MAX_PATTERN_LENGTH = 500;
/**
 * Measured on 60,000 random patterns: with three, the slowest took tens of milliseconds; with four, half a second.
 */
const MAX_REPEATS = 3;
/** A longer name matches everything, so that it cannot bypass a guard. */
const MAX_NAME_LENGTH = 128;

/** Names only; Claude Code separates them by commas too. */
const NAME_LIST = /^[\w\s,|-]+$/;

/** Where an expression names a server, a tool of another server must not imitate it. */
const SERVER = /mcp__/g;

/**
 * Compiles the matcher of a hook: names separated by `|`, or a regular expression that matches anywhere in a name, as
 * in other programs. Missing, empty and `*` match everything. Throws `invalid_payload` for an invalid expression, for
 * one that may backtrack exponentially, and for rules and file name patterns.
 */
export function compileMatcher(pattern: string | undefined, vocabulary: ToolVocabulary = 'qwen'): NameMatcher {
  if (pattern === undefined || pattern === '' || pattern === '*') return ([name]) => name;
  if (pattern.length > MAX_PATTERN_LENGTH) throw refused(`it is longer than ${MAX_PATTERN_LENGTH} characters`);
  if (NAME_LIST.test(pattern)) {
    const wanted = pattern
      .split(/[|,]/)
      .map((name) => name.trim())
      .filter((name) => name !== '');
    if (wanted.length === 0) throw refused('it contains no tool name');
    return firstName(
      (name) => wanted.includes(name),
      (name) => wanted.some((one) => covers(one, name)),
    );
  }
  checkRepetition(pattern);
  checkMeaning(pattern, vocabulary);
  const [whole, anywhere] = [`^(?:${pattern})$`, pattern.replaceAll(SERVER, '(?<![\\w-])$&')].map(compile);
  return firstName(
    (name) => whole?.test(name) === true,
    (name) => anywhere?.test(name) === true,
  );
}

/** Events whose matchers see names of tools. */
const TOOL_EVENTS: ReadonlySet<string> = new Set([
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
] satisfies HookEvent[]);
const ALTERNATIVES = /^\^?\(?(?:\?:)?([\w|-]+)\)?\$?$/;

/** Throws `invalid_payload` for an invalid matcher, and for one that mistypes the name of a built-in tool. */
export function checkMatcher(event: string, matcher = '', vocabulary?: ToolVocabulary): void {
  compileMatcher(matcher, vocabulary);
  checkToolsIn(event, matcher);
}

/** Throws `invalid_payload` for the mistyped name of a built-in tool. */
export function checkToolsIn(event: string, matcher: string): void {
  if (!TOOL_EVENTS.has(event)) return;
  const isList = NAME_LIST.test(matcher);
  const names = (isList ? matcher : (ALTERNATIVES.exec(matcher)?.[1] ?? '')).split(/[|,]/).map((name) => name.trim());
  // An expression also matches a part of an alias, a list only a part of a name.
  const known = BUILTIN_TOOL_NAMES.flatMap((name) => (isList ? name : [name, ...toolAliases(name)]));
  const [mistyped] = findMistypedTools(names.filter((name) => !known.some((one) => one.includes(name))));
  if (mistyped === undefined) return;
  throw refused(`there is no built-in tool "${mistyped.name}"; did you mean "${mistyped.nearest}"?`);
}

/**
 * Why a hook may never run: parts of its matcher that match no built-in tool and no tool of a server. They may name
 * tools that other agents have, so that they are no error.
 */
export function unmatchedIn(event: string, matcher = ''): string | undefined {
  if (!TOOL_EVENTS.has(event) || matcher === '' || matcher === '*') return undefined;
  const parts = NAME_LIST.test(matcher) ? matcher.split(/[|,]/).map((name) => name.trim()) : [matcher];
  const matchesNone = (part: string): boolean => {
    if (part === '' || part.includes('mcp') || isToolOfOthers(part)) return false;
    const match = compileMatcher(part, 'claude');
    return BUILTIN_TOOL_NAMES.every((name) => match([name, ...toolAliases(name)]) === undefined);
  };
  const unmatched = parts.filter(matchesNone);
  if (unmatched.length === 0) return undefined;
  return `a hook at ${event} matches no built-in tool with ${unmatched.map((part) => JSON.stringify(part)).join(', ')}; write the names of MCP tools as mcp__server__tool`;
}

/** A server stands for its tools, and a part of a name for the built-in tools that contain it, as in qwen-code. */
function covers(wanted: string, name: string): boolean {
  if (wanted.startsWith('mcp__')) return name.startsWith(`${wanted}__`);
  if (findBuiltinTool(name) !== name) return false;
  const tool = findBuiltinTool(wanted);
  return tool === undefined ? name.includes(wanted) : tool === name;
}

function firstName(...steps: readonly ((name: string) => boolean)[]): NameMatcher {
  return (names) => {
    const long = names.find((name) => name.length > MAX_NAME_LENGTH);
    return steps.reduce<string | undefined>((found, matches) => found ?? names.find(matches), long);
  };
}

function compile(pattern: string): RegExp {
  try {
    return new RegExp(pattern);
  } catch {
    throw refused('it is not a regular expression');
  }
}

/** An escape, a character class, the start of a group, a repetition, or any other character. */
const UNIT = /\\[1-9k]|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:<?[=!]|[^()=!:>]*[:>]))?|\{\d+(?:,\d*)?\}|./gs;
const REFERENCE_OR_LOOK = /^(?:\\[1-9k]|\(\?<?[=!])/;
const REPEAT = /^(?:[*+?]|\{\d.*)$/;

/** Without repeated risky groups, matching time is polynomial in the length of a name. */
function checkRepetition(pattern: string): void {
  // For the pattern and each open group: whether it contains repetition or alternatives.
  const isRisky = [false];
  let wasRiskyGroup = false;
  let repeats = 0;
  for (const [unit] of pattern.matchAll(UNIT)) {
    if (REFERENCE_OR_LOOK.test(unit)) throw refused('back references and lookaround are not allowed');
    const isRepeat = REPEAT.test(unit);
    if (isRepeat) repeats += 1;
    if (isRepeat && wasRiskyGroup) throw refused('a repeated group must not contain repetition or alternatives');
    if (repeats > MAX_REPEATS) throw refused(`it repeats more than ${MAX_REPEATS} times`);
    wasRiskyGroup = unit === ')' && isRisky.pop() === true;
    if (unit.startsWith('(')) isRisky.push(false);
    if (isRepeat || unit === '|' || wasRiskyGroup) isRisky[isRisky.length - 1] = true;
  }
}

/** A rule of permissions for a tool; `Task(?:Output)` and `Read(.*)` are expressions. */
const RULE = /^(\w+)\((?!\?|\.\*\)$)(?=.*[^\w|)]).*\)$/s;
/** A file name pattern: as an expression, it repeats its last letter. Where it may match anywhere, that does no harm. */
const GLOB = /(?<!\\)[\w-]\*(?:$|[|)])/;

/** As in `/Write/`, `!Read` and `Write.* | Edit.*`. */
const NEVER_IN_NAMES = /^[\s!/,:;=~@#%&"'`<>]$/;

/** A guard with these would never run. */
function checkMeaning(pattern: string, vocabulary: ToolVocabulary): void {
  const tool = RULE.exec(pattern)?.[1];
  if (tool !== undefined && findBuiltinTool(tool) !== undefined) {
    throw refused(`a matcher only sees names; match ${tool} and check the input in the hook, or use a deny rule`);
  }
  for (const [unit] of pattern.matchAll(UNIT)) {
    if (NEVER_IN_NAMES.test(unit)) throw refused(`no tool has ${JSON.stringify(unit)} in its name`);
  }
  if (vocabulary !== 'claude' && GLOB.test(pattern)) throw refused('write .* for any text');
}

function refused(problem: string): AgentError {
  return new AgentError('invalid_payload', `invalid matcher: ${problem}`);
}
