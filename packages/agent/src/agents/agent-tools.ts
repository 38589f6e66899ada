import type { AgentConfig } from '@qwen/protocol';
import { OUTPUT_TOOL_NAME } from '../loop/structured-output.js';
import { ToolNameList } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';
import { TASK_TOOL_NAME } from './task-tool.js';

/**
 * Tools of the session that are not for subagents: none starts others, and the output is given by whoever was asked.
 * Nor do they ask people, who would not know what it is about.
 */
const EXCLUDED_TOOLS: ReadonlySet<string> = new Set([TASK_TOOL_NAME, OUTPUT_TOOL_NAME]);

/** Which tools of a session one kind of subagent may use. */
export class AgentTools {
  readonly #wanted: ToolNameList | undefined;
  readonly #unwanted: ToolNameList;

  constructor({ tools, disallowedTools = [] }: AgentConfig) {
    this.#wanted = tools && new ToolNameList(tools);
    this.#unwanted = new ToolNameList(disallowedTools);
  }

  /** Those of the session's tools that the subagent is offered; never more than the session has. */
  choose(tools: readonly AnyTool[]): readonly AnyTool[] {
    return tools.filter(
      (tool) =>
        !EXCLUDED_TOOLS.has(tool.name) &&
        tool.isQuestion !== true &&
        (this.#wanted?.has(tool) ?? true) &&
        !this.#unwanted.has(tool),
    );
  }

  /** Entries of the definition that give the subagent no tool, as they were written. */
  unknown(tools: readonly AnyTool[]): readonly string[] {
    return this.#wanted?.unknown(tools) ?? [];
  }
}
