import type { Model } from '@qwen/models';
import type { Effort, PermissionMode } from '@qwen/protocol';
import type { LiveSettings } from '../loop/turn-context.js';
import type { AnyTool } from '../tool.js';
import type { AgentSessionOptions } from './options.js';

export class SessionSettings {
  effort: Effort | undefined;
  tools: readonly AnyTool[];
  readonly #models: ModelCache;
  #model: string;
  #modelSwitches = 0;
  #permissionMode: PermissionMode;
  #modeBeforePlan: PermissionMode = 'default';

  constructor({ model, permissionMode, effort, tools, createModel }: AgentSessionOptions) {
    this.#models = new ModelCache(createModel);
    this.#model = model;
    this.#permissionMode = permissionMode;
    this.effort = effort;
    this.tools = tools;
  }

  get model(): string {
    return this.#model;
  }

  get permissionMode(): PermissionMode {
    return this.#permissionMode;
  }

  set permissionMode(mode: PermissionMode) {
    if (mode === 'plan' && this.#permissionMode !== 'plan') this.#modeBeforePlan = this.#permissionMode;
    this.#permissionMode = mode;
  }

  get modeBeforePlan(): PermissionMode {
    return this.#modeBeforePlan;
  }

  get current(): LiveSettings {
    return {
      model: this.#model,
      tools: this.tools,
      permissionMode: this.permissionMode,
      ...(this.effort !== undefined && { effort: this.effort }),
    };
  }

  /** False if a later switch won. Rejects with the error of `createModel` and keeps the old model. */
  async switchModel(model: string): Promise<boolean> {
    this.#modelSwitches += 1;
    const mine = this.#modelSwitches;
    await this.#models.load(model);
    if (mine !== this.#modelSwitches) return false;
    this.#model = model;
    return true;
  }

  /** Created once. Rejects with the error of `createModel`. */
  loadModel(id: string): Promise<Model> {
    return this.#models.load(id);
  }

  dropModel(id: string): void {
    this.#models.drop(id);
  }
}

/** Failed and dropped models are created again. */
class ModelCache {
  readonly #create: (id: string) => Promise<Model>;
  readonly #models = new Map<string, Promise<Model>>();

  constructor(create: (id: string) => Promise<Model>) {
    this.#create = create;
  }

  load(id: string): Promise<Model> {
    const known = this.#models.get(id);
    if (known !== undefined) return known;
    const model = this.#create(id);
    this.#models.set(id, model);
    model.catch(() => this.#models.delete(id));
    return model;
  }

  drop(id: string): void {
    this.#models.delete(id);
  }
}
