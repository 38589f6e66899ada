import type { AgentConfig } from '@qwen/protocol';
import { OUTPUT_TOOL_NAME } from '../loop/structured-output.js';
import { ToolNameList } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';
import { TASK_TOOL_NAME } from './task-tool.js';

/** Subagents start no others and do not return the output of the session. */
const EXCLUDED_TOOLS: ReadonlySet<string> = new Set([TASK_TOOL_NAME, OUTPUT_TOOL_NAME]);

export class AgentTools {
  readonly #wanted: ToolNameList | undefined;
  readonly #unwanted: ToolNameList;

  constructor({ tools, disallowedTools = [] }: AgentConfig) {
    this.#wanted = tools && new ToolNameList(tools);
    this.#unwanted = new ToolNameList(disallowedTools);
  }

  choose(tools: readonly AnyTool[]): readonly AnyTool[] {
    return tools.filter(
      (tool) =>
        !EXCLUDED_TOOLS.has(tool.name) &&
        tool.isQuestion !== true &&
        (this.#wanted?.has(tool) ?? true) &&
        !this.#unwanted.covers(tool),
    );
  }

  unknown(tools: readonly AnyTool[]): readonly string[] {
    return this.#wanted?.unknown(tools) ?? [];
  }
}
