import {
  AgentError,
  commandHookSchema,
  findBuiltinTool,
  HOOK_EVENTS,
  type HookGroup,
  isJsonObject,
} from '@qwen/protocol';
import { checkToolsIn, compileMatcher } from '../../name-matcher.js';
import { leavesOf, type MemberReader } from './member-reader.js';

/** Hooks whose absence would let calls pass that they might block. */
export const GUARDS: readonly string[] = ['PreToolUse', 'PermissionRequest', 'UserPromptSubmit'];
/** Smaller timeouts are seconds, larger ones milliseconds. */
const FIRST_MILLISECONDS = 1000;

export interface TranslatedHooks {
  readonly hooks: Readonly<Record<string, readonly HookGroup[]>>;
  readonly lostGuard: boolean;
}

export function translateHooks(reader: MemberReader): TranslatedHooks {
  const given = reader.take('hooks');
  if (given === undefined) return { hooks: {}, lostGuard: false };
  if (!isJsonObject(given)) {
    reader.refuse('hooks', 'expected object');
    return { hooks: {}, lostGuard: true };
  }
  const hooks: Record<string, HookGroup[]> = {};
  let lostGuard = false;
  for (const [event, groups] of Object.entries(given)) {
    const path = `hooks.${event}`;
    const lose = (place: string, reason: string) => {
      reader.refuse(place, reason);
      lostGuard ||= GUARDS.includes(event);
    };
    const isKnown = (HOOK_EVENTS as readonly string[]).includes(event);
    if (!isKnown || !Array.isArray(groups)) {
      // An empty list asks for nothing.
      if (Array.isArray(groups) && groups.length === 0) continue;
      lose(path, isKnown ? 'expected a list' : 'no such event');
      continue;
    }
    const read = groups.flatMap((group: unknown, index) =>
      readGroup(reader, group, { event, path: `${path}.${index}`, lose }),
    );
    if (read.length > 0) hooks[event] = read;
  }
  return { hooks, lostGuard };
}

interface ReadContext {
  readonly event: string;
  readonly path: string;
  readonly lose: (path: string, reason: string) => void;
}

function readGroup(reader: MemberReader, group: unknown, { event, path, lose }: ReadContext): HookGroup[] {
  if (!isJsonObject(group) || !Array.isArray(group['hooks'])) {
    lose(path, 'expected an object with hooks');
    return [];
  }
  const { matcher: pattern, hooks, ...others } = group;
  let matcher: string | undefined;
  try {
    matcher = readMatcher(event, pattern);
  } catch (thrown) {
    lose(`${path}.matcher`, AgentError.from(thrown).message);
    return [];
  }
  for (const name of Object.keys(others)) reader.refuse(`${path}.${name}`);
  const read = hooks.flatMap((hook: unknown, index) => {
    const at = `${path}.hooks.${index}`;
    if (!isJsonObject(hook)) {
      lose(at, 'expected object');
      return [];
    }
    const { type, command, timeout, blocking, env, shell, ...rest } = hook;
    if (type !== 'command') {
      lose(at, `no hooks of type ${JSON.stringify(type)}`);
      return [];
    }
    if (shell !== undefined && shell !== 'bash') {
      lose(at, `no hooks for ${JSON.stringify(shell)}`);
      return [];
    }
    // Without its variables, a guard could approve what it should block.
    if (isJsonObject(env) ? Object.keys(env).length > 0 : env !== undefined) {
      lose(at, 'no hooks with env');
      return [];
    }
    const isLong = typeof timeout === 'number' && timeout >= FIRST_MILLISECONDS;
    const parsed = commandHookSchema.safeParse({
      type,
      command,
      ...(timeout !== undefined && { timeout: isLong ? timeout / FIRST_MILLISECONDS : timeout }),
      ...(blocking !== undefined && { blocking }),
    });
    if (!parsed.success) {
      lose(at, 'unexpected value');
      return [];
    }
    for (const leaf of Object.entries(rest).flatMap(([name, value]) => leavesOf(value, `${at}.${name}`))) {
      reader.refuse(leaf);
    }
    return [parsed.data];
  });
  return read.length === 0 ? [] : [{ ...(matcher !== undefined && { matcher }), hooks: read }];
}

/**
 * Expressions match anywhere in the name of the tool, so that `edit` guards `mcp__fs__edit_file` too; names and aliases
 * of built-in tools also match exactly. Undefined matches everything. Throws `invalid_payload` as `checkMatcher` does.
 */
function readMatcher(event: string, pattern: unknown): string | undefined {
  if (pattern === undefined) return undefined;
  if (typeof pattern !== 'string') throw new AgentError('invalid_payload', 'expected string');
  const text = pattern.trim();
  if (text === '' || text === '*' || text === '.*') return undefined;
  const words = /^[\w|\s-]+$/.test(text) ? text.split('|').map((word) => word.trim()) : undefined;
  const exact = words?.flatMap((word) => findBuiltinTool(word) ?? []) ?? [];
  const inside = words === undefined ? text : words.filter((word) => word !== '').join('|');
  const matcher = [...new Set(exact), anywhere(inside)].join('|');
  compileMatcher(matcher);
  checkToolsIn(event, text);
  return matcher;
}

/** An escape, a character class or one other character. */
const UNIT = /\\.|\[(?:\\.|[^\]\\])*\]|./gs;

/** The expression for a whole name. Each repetition counts, so none is added where all alternatives are anchored. */
function anywhere(text: string): string {
  const alternatives: string[][] = [[]];
  let depth = 0;
  for (const [unit] of text.matchAll(UNIT)) {
    if (unit === '(') depth += 1;
    else if (unit === ')') depth -= 1;
    if (unit === '|' && depth === 0) alternatives.push([]);
    else alternatives.at(-1)?.push(unit);
  }
  const before = alternatives.every((units) => units[0] === '^') ? '' : '.*';
  const after = alternatives.every((units) => units.at(-1) === '$') ? '' : '.*';
  return `${before}(?:${text})${after}`;
}
