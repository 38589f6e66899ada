import type { Model } from '@qwen/models';
import type { Effort, PermissionMode } from '@qwen/protocol';
import type { LiveSettings } from '../loop/turn-context.js';
import type { AnyTool } from '../tool.js';
import type { AgentSessionOptions } from './options.js';

/** What of a session may change while it is open; each model call and each decision reads it afresh. */
export class SessionSettings {
  /** As the provider likes when undefined. */
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

  /** The model of the next model call. */
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

  /** The mode to go back to when a plan was approved; `default` where the session began in plan mode. */
  get modeBeforePlan(): PermissionMode {
    return this.#modeBeforePlan;
  }

  /** As they are now. */
  get current(): LiveSettings {
    return {
      model: this.#model,
      tools: this.tools,
      permissionMode: this.permissionMode,
      ...(this.effort !== undefined && { effort: this.effort }),
    };
  }

  /** False when a later switch came first. Rejects with the error of `createModel` and keeps the old model then. */
  async switchModel(model: string): Promise<boolean> {
    this.#modelSwitches += 1;
    const mine = this.#modelSwitches;
    await this.#models.load(model);
    if (mine !== this.#modelSwitches) return false;
    this.#model = model;
    return true;
  }

  /** The model of this id, made once. Rejects with the error of `createModel`. */
  loadModel(id: string): Promise<Model> {
    return this.#models.load(id);
  }

  /** Has `loadModel` make it anew. */
  dropModel(id: string): void {
    this.#models.drop(id);
  }
}

/** Makes each model once. One that could not be made, or that was dropped, is made anew the next time. */
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
