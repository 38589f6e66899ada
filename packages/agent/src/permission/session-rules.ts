import { AgentError, defined, type PermissionUpdate } from '@qwen/protocol';
import type { PathResolver, RuleStore } from '../ports.js';
import type { RuleAnchors } from './path-pattern.js';
import { RuleSet } from './rule-set.js';
import type { PermissionRules } from './rules.js';

export type RuleUpdate = Extract<PermissionUpdate, { readonly rules: unknown }>;

export interface SessionRulesOptions {
  readonly rules: PermissionRules;
  readonly cwd: string;
  readonly paths: PathResolver;
  readonly homeDirectory?: string;
  readonly dataDir?: string;
  readonly ruleStore?: RuleStore;
}

/** Shared with subagents. The constructor and `apply` throw `usage` and change nothing. */
export class SessionRules {
  readonly #options: SessionRulesOptions;
  #rules: PermissionRules;
  #anchors: RuleAnchors;
  #current: RuleSet;
  #isAnchored = false;

  constructor(options: SessionRulesOptions) {
    const { rules, cwd, homeDirectory, dataDir } = options;
    this.#options = options;
    this.#rules = rules;
    this.#anchors = {
      root: cwd,
      realRoot: cwd,
      ...defined({ home: homeDirectory, dataDir }),
    };
    this.#current = new RuleSet(rules, this.#anchors);
  }

  get current(): RuleSet {
    return this.#current;
  }

  get texts(): PermissionRules {
    return this.#rules;
  }

  /** Resolves the real paths of the folders first. */
  async anchored(): Promise<this> {
    if (!this.#isAnchored) {
      const { paths, cwd } = this.#options;
      const { home, dataDir } = this.#anchors;
      const realPathOf = async (path: string) => (await paths.resolve(path, cwd)).realPath;
      this.#anchors = {
        ...this.#anchors,
        realRoot: await realPathOf(cwd),
        ...(home !== undefined && { realHome: await realPathOf(home) }),
        ...(dataDir !== undefined && { realDataDir: await realPathOf(dataDir) }),
      };
      this.#current = new RuleSet(this.#rules, this.#anchors);
      this.#isAnchored = true;
    }
    return this;
  }

  /** Stores the update beyond the session; returns why that failed. Never rejects. */
  async persist(update: PermissionUpdate): Promise<string | undefined> {
    if (update.destination === 'session') return undefined;
    try {
      await this.#options.ruleStore?.save(update);
      return undefined;
    } catch (thrown) {
      return `The change applies to this session only: ${AgentError.from(thrown).message}`;
    }
  }

  apply({ type, behavior, rules }: RuleUpdate): void {
    const texts = rules.map(toRuleText);
    const changed = { ...this.#rules, [behavior]: changedList(type, this.#rules[behavior], texts) };
    this.#current = new RuleSet(changed, this.#anchors);
    this.#rules = changed;
  }
}

export function toRuleText(rule: RuleUpdate['rules'][number]): string {
  if (typeof rule === 'string') return rule;
  return rule.ruleContent === undefined ? rule.toolName : `${rule.toolName}(${rule.ruleContent})`;
}

export function changedList(type: RuleUpdate['type'], list: readonly string[], texts: readonly string[]): string[] {
  if (type === 'replaceRules') return [...new Set(texts)];
  const kept = list.filter((text) => !texts.includes(text));
  return type === 'addRules' ? [...kept, ...new Set(texts)] : kept;
}
