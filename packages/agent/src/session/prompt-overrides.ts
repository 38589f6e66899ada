import type { ModelRequest } from '@qwen/models';
import type { LiveSettings } from '../loop/turn-context.js';
import { ToolNameList } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';

/** What holds for one prompt instead of the settings of the session; its subagents go by it too (E-19). */
export interface PromptOverrides extends Pick<ModelRequest, 'temperature' | 'topP' | 'maxOutputTokens'> {
  readonly model?: string;
  /** The only tools that may be called, by any of their names (CF-69). Default: all of the session. */
  readonly toolNames?: readonly string[];
}

/** The settings of a session as one prompt sees them. */
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

  /** Names of the list that none of these tools has, as they were written. */
  unknownTools(tools: readonly AnyTool[]): readonly string[] {
    return this.#toolNames?.unknown(tools) ?? [];
  }
}
