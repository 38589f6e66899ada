import type { PermissionMode, PermissionUpdate } from '@qwen/protocol';
import type { Explanation } from '../permission/explain.js';
import { GrantedTools } from '../permission/granted-tools.js';
import { type RuleUpdate, SessionRules, toRuleText } from '../permission/session-rules.js';
import type { AnyTool } from '../tool.js';
import type { AgentSessionOptions } from './options.js';

export type Notify = (code: string, message: string) => void;

/** The rules, and the definitions under which server tools were allowed. */
export class SessionPermissions {
  readonly rules: SessionRules;
  readonly #options: AgentSessionOptions;
  readonly #notify: Notify;
  readonly #granted = new GrantedTools();
  readonly #writing = new Set<Promise<void>>();

  constructor(options: AgentSessionOptions, notify: Notify) {
    this.rules = new SessionRules(options);
    this.#options = options;
    this.#notify = notify;
  }

  apply(update: RuleUpdate, tools: readonly AnyTool[]): void {
    this.rules.apply(update);
    if (update.behavior === 'allow') this.#granted.grant(update.rules.map(toRuleText), tools);
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

  /** Revokes approvals of tools whose definition changed. */
  revokeChanged(tools: readonly AnyTool[]): void {
    for (const name of this.#granted.revokeChanged(tools)) {
      this.rules.apply({ type: 'removeRules', behavior: 'allow', rules: [name], destination: 'session' });
      this.#notify('rule_void', `The definition of ${name} changed since it was allowed; its approval is revoked.`);
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
