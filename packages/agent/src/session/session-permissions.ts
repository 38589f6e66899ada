import type { PermissionMode, PermissionUpdate } from '@qwen/protocol';
import type { Explanation } from '../permission/explain.js';
import { namesTool, parseRule } from '../permission/rules.js';
import { type RuleUpdate, SessionRules, toRuleText } from '../permission/session-rules.js';
import type { AnyTool } from '../tool.js';
import type { AgentSessionOptions } from './options.js';

export type Notify = (code: string, message: string) => void;

/** The rules, and the approvals of server tools that depend on their definitions. */
export class SessionPermissions {
  readonly rules: SessionRules;
  readonly #options: AgentSessionOptions;
  readonly #notify: Notify;
  readonly #notified = new Set<string>();
  readonly #writing = new Set<Promise<void>>();

  constructor(options: AgentSessionOptions, notify: Notify) {
    this.rules = new SessionRules(options);
    this.#options = options;
    this.#notify = notify;
  }

  /** An allow rule approves the current definitions of the tools that it names. */
  apply(update: RuleUpdate, tools: readonly AnyTool[]): void {
    this.rules.apply(update);
    if (update.behavior !== 'allow' || update.type === 'removeRules') return;
    const isNamed = namedBy(update.rules.map(toRuleText));
    const isLasting = update.destination !== 'session';
    for (const tool of tools) if (isNamed(tool)) tool.definition?.approve({ isLasting });
  }

  /** Stores the update beyond the session; notifies if that fails. */
  persist(update: PermissionUpdate): void {
    const written = this.rules.persist(update).then((problem) => {
      this.#writing.delete(written);
      if (problem !== undefined) this.#notify('rule_not_kept', problem);
    });
    this.#writing.add(written);
  }

  /** Resolves once pending updates are stored or failed. */
  async whenPersisted(): Promise<void> {
    await Promise.all(this.#writing);
  }

  /** Reports allowed tools whose definition changed; they require a question now. */
  reportChanged(tools: readonly AnyTool[]): void {
    const isNamed = namedBy(this.rules.texts.allow);
    for (const tool of tools) {
      const { name, definition, isTrusted } = tool;
      if (definition?.state() !== 'changed' || !(isTrusted === true || isNamed(tool))) continue;
      const key = `${name} ${definition.fingerprint}`;
      if (this.#notified.has(key)) continue;
      this.#notified.add(key);
      this.#notify(
        'rule_void',
        `The definition of ${name} changed since it was allowed; the next call needs approval.`,
      );
    }
  }

  async explain(
    call: { readonly name: string; readonly input: unknown },
    tools: readonly AnyTool[],
    mode: PermissionMode,
  ): Promise<Explanation> {
    const { explainPrepared } = await import('../loop/explain-prepared.js');
    const { cwd, paths } = this.#options;
    const { current: rules } = await this.rules.anchored();
    return explainPrepared(call, { tools, mode, rules, cwd, paths });
  }
}

function namedBy(texts: readonly string[]): (tool: AnyTool) => boolean {
  const rules = texts.map(parseRule);
  return ({ name, aliases }) => rules.some((rule) => namesTool(rule, [name, ...aliases]));
}
