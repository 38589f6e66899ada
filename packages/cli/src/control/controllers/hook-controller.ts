import type { ControlContext } from '../control-context.js';
import type { Controller, InitializePayload } from './controller.js';

/**
 * Hooks. This version calls none: whoever registers some is told at once, because a guard that silently never
 * runs is worse than none. `capabilities.hooks` says the same.
 */
export class HookController implements Controller {
  readonly handlers = {};
  readonly supported = false;
  readonly #context: ControlContext;

  constructor(context: ControlContext) {
    this.#context = context;
  }

  onInitialize({ hooks }: InitializePayload): void {
    if (hooks === undefined || hooks === null || Object.keys(hooks).length === 0) return;
    this.#context.announce({
      code: 'hooks_not_supported',
      message: 'This version of qwen calls no hooks: the registered ones will never run.',
    });
  }
}
