import type { AgentConfig } from '@qwen/protocol';
import { OUTPUT_TOOL_NAME } from '../loop/structured-output.js';
import { namesTool, type ParsedRule, parseRule } from '../permission/rules.js';
import type { AnyTool } from '../tool.js';
import { TASK_TOOL_NAME } from './task-tool.js';

/**
 * Tools of the session that are not for subagents: none starts others, and the output is given by whoever was asked.
 * Nor do they ask people, who would not know what it is about.
 */
const NOT_FOR_SUBAGENTS: ReadonlySet<string> = new Set([TASK_TOOL_NAME, OUTPUT_TOOL_NAME]);

/** Which tools of a session one kind of subagent may use. */
export class AgentTools {
  readonly #wanted: readonly Entry[] | undefined;
  readonly #unwanted: readonly Entry[];

  constructor({ tools, disallowedTools = [] }: AgentConfig) {
    this.#wanted = tools?.map(readEntry);
    this.#unwanted = disallowedTools.map(readEntry);
  }

  /** Those of the session's tools that the subagent is offered; never more than the session has. */
  choose(tools: readonly AnyTool[]): readonly AnyTool[] {
    return tools.filter(
      (tool) =>
        !NOT_FOR_SUBAGENTS.has(tool.name) &&
        tool.isQuestion !== true &&
        (this.#wanted?.some((entry) => isAbout(entry, tool)) ?? true) &&
        !this.#unwanted.some((entry) => isAbout(entry, tool)),
    );
  }

  /** Entries of the definition that give the subagent no tool, as they were written. */
  unknown(tools: readonly AnyTool[]): readonly string[] {
    const entries = this.#wanted ?? [];
    return entries.filter((entry) => !tools.some((tool) => isAbout(entry, tool))).map(({ text }) => text);
  }
}

interface Entry {
  readonly text: string;
  /** Undefined when it is no name of a tool. */
  readonly rule?: ParsedRule;
}

/** A tool goes by any of its names, `mcp__server` or `*`. What is only about some calls of it belongs into the rules. */
function readEntry(text: string): Entry {
  try {
    const rule = parseRule(text);
    return rule.specifier === undefined ? { text, rule } : { text };
  } catch {
    return { text };
  }
}

function isAbout({ rule }: Entry, { name, aliases }: AnyTool): boolean {
  return rule !== undefined && namesTool(rule, [name, ...aliases]);
}
