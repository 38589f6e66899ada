import type { Model } from '@qwen/models';

/** Makes each model once. One that could not be made, or that was dropped, is made anew the next time. */
export class ModelCache {
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
