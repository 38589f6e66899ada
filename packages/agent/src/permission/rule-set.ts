import type { PermissionMode } from '@qwen/protocol';
import type { CallFacts } from './call-facts.js';
import { offeredRules } from './offered-rules.js';
import type { RuleAnchors } from './path-pattern.js';
import { createRuleMatcher, type RuleMatcher } from './rule-matcher.js';
import { type PermissionRules, parseRule } from './rules.js';
import { isOwnSecret, isPersonalSecret } from './sensitive-files.js';
import { type NamedFiles, namedFiles } from './shell/named-files.js';
import { unreadable } from './shell/shell-reading.js';
import { coverShell, type ShellCoverage } from './shell-coverage.js';

/** A rule that fits a call. With `doubt` it may fit, and only a person can tell. */
export interface RuleMatch {
  readonly rule: string;
  readonly certainty: 'match' | 'doubt';
}

/** A rule that fits a call, and what it wants. */
export interface MatchingRule extends RuleMatch {
  readonly behavior: 'allow' | 'ask' | 'deny';
}

const NOTHING_NAMED: NamedFiles = { files: [], patterns: [], isOpen: false };
const UNREAD = { reading: unreadable('The command was not read.'), paths: new Map() };

/** Rules, ready to be tried on calls. Throws `usage` when one of them is not a rule. */
export class RuleSet {
  readonly #allow: readonly RuleMatcher[];
  readonly #ask: readonly RuleMatcher[];
  readonly #deny: readonly RuleMatcher[];
  readonly #anchors: RuleAnchors;

  constructor(rules: PermissionRules, anchors: RuleAnchors) {
    const compile = (texts: readonly string[]) => texts.map((text) => createRuleMatcher(parseRule(text), anchors));
    this.#allow = compile(rules.allow);
    this.#ask = compile(rules.ask);
    this.#deny = compile(rules.deny);
    this.#anchors = anchors;
  }

  /** The rules that would let exactly this call through from now on. */
  offersFor(call: CallFacts): string[] {
    return offeredRules(call, this.#anchors);
  }

  /** The deny rule that fits best; a sure one before a doubtful one. */
  denies(call: CallFacts): RuleMatch | undefined {
    return bestOf(this.#touching(this.#deny, call));
  }

  /** The ask rule that fits best. */
  asks(call: CallFacts): RuleMatch | undefined {
    return bestOf(this.#touching(this.#ask, call));
  }

  /** The first allow rule that surely fits all of the call. */
  allows(call: CallFacts): string | undefined {
    return this.#allow.find((matcher) => matcher.covers(call))?.rule;
  }

  /** How far the allow rules and the mode let the parts of a shell command through. */
  covers(call: CallFacts, mode: PermissionMode): ShellCoverage {
    return coverShell(call, call.shell ?? UNREAD, { allow: this.#allow, mode });
  }

  /** A file of the call that no model may read: memory of processes, our own tokens. */
  secretOf(call: CallFacts): string | undefined {
    return [...call.paths, ...this.#named(call).files].find((path) => isOwnSecret(path, this.#anchors.ownFolder))?.path;
  }

  /** Every rule that fits the call, in the order deny, ask, allow; for a compound also those that allow a part of it. */
  matching(call: CallFacts): MatchingRule[] {
    const forbidding = (behavior: 'deny' | 'ask', matchers: readonly RuleMatcher[]) =>
      this.#touching(matchers, call).map((match) => ({ ...match, behavior }));
    const commands = call.shell?.reading.commands ?? [];
    const allowing = this.#allow.filter(
      (matcher) => matcher.covers(call) || commands.some((command) => matcher.coversCommand(call, command)),
    );
    return [
      ...forbidding('deny', this.#deny),
      ...forbidding('ask', this.#ask),
      ...allowing.map(({ rule }) => ({ rule, certainty: 'match', behavior: 'allow' }) as const),
    ];
  }

  /** Whether this file is kept from being read; searches leave such files out. */
  hides(realPath: string): boolean {
    const call = readingOf(realPath);
    return (
      call.paths.some((path) => isOwnSecret(path, this.#anchors.ownFolder)) ||
      this.#deny.some((matcher) => matcher.touches(call, NOTHING_NAMED) === 'match')
    );
  }

  /** Whether reading this file alone would be asked about, wherever it lies. */
  guards(realPath: string): boolean {
    const call = readingOf(realPath);
    return (
      call.paths.some(isPersonalSecret) || this.#ask.some((matcher) => matcher.touches(call, NOTHING_NAMED) !== 'none')
    );
  }

  #touching(matchers: readonly RuleMatcher[], call: CallFacts): RuleMatch[] {
    if (matchers.length === 0) return [];
    const named = this.#named(call);
    return matchers.flatMap((matcher): RuleMatch[] => {
      const certainty = matcher.touches(call, named);
      return certainty === 'none' ? [] : [{ rule: matcher.rule, certainty }];
    });
  }

  #named({ command, shell }: CallFacts): NamedFiles {
    return command === undefined ? NOTHING_NAMED : namedFiles(shell ?? UNREAD, this.#anchors);
  }
}

/** The call that reads one file. */
function readingOf(realPath: string): CallFacts {
  const path = { path: realPath, realPath, insideRoots: true, access: 'read' } as const;
  return { toolName: 'read_file', aliases: [], kind: 'read', paths: [path] };
}

function bestOf(matches: readonly RuleMatch[]): RuleMatch | undefined {
  return matches.find(({ certainty }) => certainty === 'match') ?? matches[0];
}
