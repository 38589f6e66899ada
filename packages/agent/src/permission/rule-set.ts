import type { CallFacts } from './call-facts.js';
import type { RuleAnchors } from './path-pattern.js';
import { createRuleMatcher, NOTHING_READ, type RuleMatcher, readCommand } from './rule-matcher.js';
import { type PermissionRules, parseRule } from './rules.js';

/** A rule that fits a call. With `doubt` it may fit, and only a person can tell. */
export interface RuleMatch {
  readonly rule: string;
  readonly certainty: 'match' | 'doubt';
}

/** The rules of a session, ready to be tried on calls. Throws `usage` when one of them is not a rule. */
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

  /** The deny rule that fits best; a sure one before a doubtful one. */
  denies(call: CallFacts): RuleMatch | undefined {
    return this.#forbids(this.#deny, call);
  }

  /** The ask rule that fits best. */
  asks(call: CallFacts): RuleMatch | undefined {
    return this.#forbids(this.#ask, call);
  }

  /** The first allow rule that surely fits all of the call. */
  allows(call: CallFacts): string | undefined {
    return this.#allow.find((matcher) => matcher.covers(call))?.rule;
  }

  /** Whether a deny rule keeps this file from being read; searches leave such files out. */
  hides(realPath: string): boolean {
    const path = { path: realPath, realPath, insideRoots: true, access: 'read' } as const;
    const call: CallFacts = { toolName: 'read_file', aliases: [], kind: 'read', paths: [path] };
    return this.#deny.some((matcher) => matcher.touches(call, NOTHING_READ) === 'match');
  }

  #forbids(matchers: readonly RuleMatcher[], call: CallFacts): RuleMatch | undefined {
    if (matchers.length === 0) return undefined;
    const reading = call.command === undefined ? NOTHING_READ : readCommand(call.command, this.#anchors);
    let doubtful: RuleMatch | undefined;
    for (const matcher of matchers) {
      const certainty = matcher.touches(call, reading);
      if (certainty === 'match') return { rule: matcher.rule, certainty };
      if (certainty === 'doubt') doubtful ??= { rule: matcher.rule, certainty };
    }
    return doubtful;
  }
}
