import { type HookMoment, type HookPort, NO_VERDICT } from '@qwen/agent';
import type { SettingsHook } from './config/settings.js';
import type { HookEnvironment } from './hooks/command-hook.js';
import type { Hook, HookNotice } from './hooks/hook.js';
import type { HookSession } from './hooks/hook-input.js';
import type { HookReport } from './hooks/hook-report.js';

export interface LazyHooksOptions {
  readonly registered: () => readonly Hook[];
  /** From the settings; these run first. */
  readonly commands: readonly SettingsHook[];
  readonly hookEnvironment: HookEnvironment;
  readonly facts: () => HookSession;
  /** Must not throw. */
  readonly announce: (notice: HookNotice) => void;
  /** Must not throw. */
  readonly report?: (report: HookReport) => void;
}

/** Loads the hook code with the first hook that runs: most sessions have none. */
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
    const { registered, commands, hookEnvironment, ...options } = this.#options;
    const { HookRunner } = await import('./hooks/hook-runner.js');
    const { toCommandHooks } = await import('./hooks/command-hook.js');
    const ofSettings = commands.flatMap((hook) => toCommandHooks(hook, hookEnvironment));
    return new HookRunner({ hooks: () => [...ofSettings, ...registered()], ...options });
  }
}
