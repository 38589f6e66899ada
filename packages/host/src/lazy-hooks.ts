import { type HookMoment, type HookPort, NO_VERDICT } from '@qwen/agent';
import type { SettingsHook } from './config/settings.js';
import type { CommandSurroundings } from './hooks/command-hook.js';
import type { Hook, HookNotice } from './hooks/hook.js';
import type { HookFacts } from './hooks/hook-input.js';
import type { HookReport } from './hooks/hook-report.js';

export interface LazyHooksOptions {
  /** Those of the app and of this program that are registered now. */
  readonly registered: () => readonly Hook[];
  /** Those of the settings, which come first. */
  readonly commands: readonly SettingsHook[];
  readonly surroundings: CommandSurroundings;
  readonly facts: () => HookFacts;
  /** Takes what people should know. Must not throw. */
  readonly announce: (notice: HookNotice) => void;
  /** Takes how each hook came out. Must not throw. */
  readonly report?: (report: HookReport) => void;
}

/** Hooks whose code loads when the first of them is to run: most sessions have none. */
export class LazyHooks implements HookPort {
  readonly #options: LazyHooksOptions;
  #runner: Promise<HookPort> | undefined;

  constructor(options: LazyHooksOptions) {
    this.#options = options;
  }

  has(event: HookMoment['event']): boolean {
    const { registered, commands } = this.#options;
    return [...commands, ...registered()].some((hook) => hook.event === event);
  }

  async run(moment: HookMoment, options: Parameters<HookPort['run']>[1]): ReturnType<HookPort['run']> {
    if (!this.has(moment.event)) return NO_VERDICT;
    this.#runner ??= this.#load();
    const runner = await this.#runner;
    return runner.run(moment, options);
  }

  async #load(): Promise<HookPort> {
    const { registered, commands, surroundings, ...options } = this.#options;
    const { HookRunner } = await import('./hooks/hook-runner.js');
    const { toCommandHooks } = await import('./hooks/command-hook.js');
    const ofSettings = commands.flatMap((hook) => toCommandHooks(hook, surroundings));
    return new HookRunner({ hooks: () => [...ofSettings, ...registered()], ...options });
  }
}
