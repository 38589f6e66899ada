import { canonicalToolName, type PermissionMode } from '@qwen/protocol';
import type { CallFacts, ShellFacts } from './call-facts.js';
import { offeredRules } from './offered-rules.js';
import type { RuleAnchors } from './path-pattern.js';
import { createRuleMatcher, type RuleMatcher } from './rule-matcher.js';
import { type PermissionRules, parseRule } from './rules.js';
import { holdsSecrets, isOwnSecret, isPersonalSecret, unknownSecret } from './sensitive-files.js';
import { mentionedSecret } from './shell/mentioned-secrets.js';
import { type NamedFiles, NOTHING_NAMED, namedFiles } from './shell/named-files.js';
import { unreadable } from './shell/shell-reading.js';
import { coverShell, type ShellCoverage } from './shell-coverage.js';

export interface RuleMatch {
  readonly rule: string;
  readonly certainty: 'match' | 'doubt';
}

export interface MatchingRule extends RuleMatch {
  readonly behavior: 'allow' | 'ask' | 'deny';
}

const UNREAD = {
  reading: unreadable('The command was not read.'),
  paths: new Map(),
  folders: new Set<string>(),
  git: new Map(),
};

/** Compiled rules. Throws `usage` for an invalid rule. */
export class RuleSet {
  readonly #allow: readonly RuleMatcher[];
  readonly #ask: readonly RuleMatcher[];
  readonly #deny: readonly RuleMatcher[];
  readonly #only: ReadonlyMap<string, readonly RuleMatcher[]>;
  readonly #anchors: RuleAnchors;
  readonly #dataDirs: readonly string[];
  readonly #namedFiles = new WeakMap<ShellFacts, NamedFiles>();

  constructor(rules: PermissionRules, anchors: RuleAnchors) {
    const compile = (texts: readonly string[]) => texts.map((text) => createRuleMatcher(parseRule(text), anchors));
    this.#allow = compile(rules.allow);
    this.#ask = compile(rules.ask);
    this.#deny = compile(rules.deny);
    const limits = (rules.only ?? []).map(parseRule);
    this.#only = new Map(
      limits.map(({ tool }) => [tool, compile(limits.filter((one) => one.tool === tool).map(({ text }) => text))]),
    );
    this.#anchors = anchors;
    this.#dataDirs = [anchors.dataDir, anchors.realDataDir].filter((folder) => folder !== undefined);
  }

  /** Whether a deny or ask rule is about files that commands may name. */
  get concernsFiles(): boolean {
    return [...this.#deny, ...this.#ask].some((matcher) => matcher.concernsFiles);
  }

  get anchors(): RuleAnchors {
    return this.#anchors;
  }

  offersFor(call: CallFacts): string[] {
    return offeredRules(call, this.#anchors);
  }

  denies(call: CallFacts): RuleMatch | undefined {
    return bestOf(this.#touching(this.#deny, call));
  }

  /** The deny rule that names the whole tool. */
  deniesTool(name: string): string | undefined {
    return this.#deny.find(({ rule }) => !rule.includes('(') && canonicalToolName(rule) === canonicalToolName(name))
      ?.rule;
  }

  /** The limits of its tool, if the call is outside of them. */
  limitsOf(call: CallFacts): readonly string[] | undefined {
    const limits = this.#only.get(canonicalToolName(call.toolName));
    if (limits === undefined) return undefined;
    const { commands, obstacle } = (call.shell ?? UNREAD).reading;
    const isInside =
      call.command === undefined
        ? limits.some((limit) => limit.covers(call))
        : obstacle === undefined &&
          commands.length > 0 &&
          commands.every((command) => limits.some((limit) => limit.coversCommand(call, command)));
    return isInside ? undefined : limits.map(({ rule }) => rule);
  }

  asks(call: CallFacts): RuleMatch | undefined {
    return bestOf(this.#touching(this.#ask, call));
  }

  allows(call: CallFacts): string | undefined {
    return this.#allow.find((matcher) => matcher.covers(call))?.rule;
  }

  /** Whether a rule allows requests to this host by its full name. */
  namesHost(host: string): boolean {
    return this.#allow.some((matcher) => matcher.host === host);
  }

  /** Whether a rule allows it with the complete name of its tool. */
  allowsByName(call: CallFacts): boolean {
    const name = call.toolName.toLowerCase();
    return this.#allow.some((matcher) => matcher.rule.toLowerCase() === name && matcher.covers(call));
  }

  /** What the rules and the mode allow of a shell command. */
  covers(call: CallFacts, mode: PermissionMode): ShellCoverage {
    return coverShell(call, call.shell ?? UNREAD, { allow: this.#allow, mode, anchors: this.#anchors });
  }

  /** A file that no model may read: process memory, our own tokens. */
  secretOf(call: CallFacts): string | undefined {
    return [...call.paths, ...this.#named(call).files].find((path) => isOwnSecret(path, this.#dataDirs))?.path;
  }

  /** What may reach such a file, which only a user can judge. */
  mayReachSecret(call: CallFacts): string | undefined {
    if (call.shell === undefined) return undefined;
    const dataDirs = this.#dataDirs;
    const { guesses, taken, isOpen } = this.#named(call);
    const { reading } = call.shell;
    const guess = guesses.find((path) => isOwnSecret(path, dataDirs));
    const holding = taken.find(({ folder, scope }) => scope === 'all' && holdsSecrets(folder, dataDirs));
    return (
      guess?.path ??
      holding?.folder.path ??
      unknownSecret(reading, dataDirs) ??
      mentionedSecret({ command: call.command ?? '', reading, isOpen }, this.#anchors, dataDirs)
    );
  }

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

  hides(realPath: string): boolean {
    const call = readingOf(realPath);
    return (
      call.paths.some((path) => isOwnSecret(path, this.#dataDirs)) ||
      this.#deny.some((matcher) => matcher.touches(call, NOTHING_NAMED) === 'match')
    );
  }

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

  #named({ command, shell = UNREAD }: CallFacts): NamedFiles {
    if (command === undefined) return NOTHING_NAMED;
    const known = this.#namedFiles.get(shell);
    if (known !== undefined) return known;
    const named = namedFiles(shell, this.#anchors);
    this.#namedFiles.set(shell, named);
    return named;
  }
}

function readingOf(realPath: string): CallFacts {
  const path = { path: realPath, realPath, insideRoots: true, access: 'read' } as const;
  return { toolName: 'read_file', aliases: [], kind: 'read', paths: [path] };
}

function bestOf(matches: readonly RuleMatch[]): RuleMatch | undefined {
  return matches.find(({ certainty }) => certainty === 'match') ?? matches[0];
}
