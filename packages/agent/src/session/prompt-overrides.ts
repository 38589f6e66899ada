import type { ModelRequest } from '@qwen/models';
import type { LiveSettings } from '../loop/turn-context.js';
import { ToolNameList } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';

/** Settings for one prompt and its subagents. */
export interface PromptOverrides extends Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens'> {
  readonly model?: string;
  /** Any alias. Default: all tools of the session. */
  readonly toolNames?: readonly string[];
}

export class OverriddenSettings {
  readonly sampling: Pick<PromptOverrides, 'temperature' | 'topP' | 'maxOutputTokens'>;
  readonly #model: string | undefined;
  readonly #toolNames: ToolNameList | undefined;

  constructor({ model, toolNames, ...sampling }: PromptOverrides) {
    this.sampling = sampling;
    this.#model = model;
    this.#toolNames = toolNames && new ToolNameList(toolNames);
  }

  apply(settings: LiveSettings): LiveSettings {
    const { tools, model } = settings;
    const names = this.#toolNames;
    const allowed = names === undefined ? tools : tools.filter((tool) => names.has(tool));
    return { ...settings, tools: allowed, model: this.#model ?? model };
  }

  unknownTools(tools: readonly AnyTool[]): readonly string[] {
    return this.#toolNames?.unknown(tools) ?? [];
  }
}
