import { OUTPUT_TOOL_NAME } from '../loop/structured-output.js';
import { nearestTool, ToolNameList, unknownToolMessage } from '../permission/tool-name-list.js';
import type { AnyTool } from '../tool.js';
import { type KnownAgent, READ_ONLY_TOOLS } from './known-agents.js';
import { TASK_TOOL_NAME } from './task-tool.js';

/** Subagents start no others and do not return the output of the session. */
const EXCLUDED_TOOLS: ReadonlySet<string> = new Set([TASK_TOOL_NAME, OUTPUT_TOOL_NAME]);

export class AgentTools {
  readonly #wanted: ToolNameList | undefined;
  readonly #unwanted: ToolNameList;

  readonly #name: string;
  readonly #rules: readonly string[];
  readonly #limit: ReadonlySet<string> | undefined;

  constructor({ name, tools, disallowedTools = [], isReadOnly }: KnownAgent) {
    this.#name = name;
    this.#limit = isReadOnly && new Set(READ_ONLY_TOOLS);
    this.#wanted = tools && new ToolNameList(tools);
    // A rule such as Bash(rm *) removes the whole tool, so an agent may do less than intended, but not more.
    this.#unwanted = new ToolNameList(disallowedTools.map((text) => text.split('(', 1)[0] ?? text));
    this.#rules = disallowedTools.filter((text) => text.includes('('));
  }

  choose(tools: readonly AnyTool[]): readonly AnyTool[] {
    return tools.filter(
      (tool) =>
        !EXCLUDED_TOOLS.has(tool.name) &&
        tool.isQuestion !== true &&
        (this.#limit?.has(tool.name) ?? true) &&
        (this.#wanted?.has(tool) ?? true) &&
        !this.#unwanted.covers(tool),
    );
  }

  /** Messages about names that have another effect than meant. */
  problems(tools: readonly AnyTool[]): readonly string[] {
    const subject = `The subagent ${this.#name}`;
    return [
      ...(this.#wanted?.unknown(tools) ?? []).map((name) => unknownToolMessage(subject, name, tools)),
      ...this.#unwanted
        .unknown(tools)
        .filter((name) => nearestTool(name, tools) !== undefined)
        .map((name) => unknownToolMessage(`disallowedTools of the subagent ${this.#name}`, name, tools)),
      ...this.#rules.map(
        (rule) => `${subject} has no access to the whole tool: disallowedTools takes names, but ${rule} is a rule.`,
      ),
    ];
  }
}
