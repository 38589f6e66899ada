import { guardNames, nearestName } from '@qwen/protocol';
import type { AnyTool } from '../tool.js';
import { namesTool, type ParsedRule, parseRule } from './rules.js';

interface Entry {
  readonly text: string;
  readonly rule?: ParsedRule;
}

export class ToolNameList {
  readonly #entries: readonly Entry[];

  constructor(texts: readonly string[]) {
    this.#entries = texts.map(readEntry);
  }

  has(tool: AnyTool): boolean {
    return this.#entries.some((entry) => isAbout(entry, tool));
  }

  /** Like `has`, and for tools that a named one covers: without `Read`, nothing reads many files. */
  covers(tool: AnyTool): boolean {
    const { name, aliases } = tool;
    return this.#entries.some((entry) => isAbout(entry, { name, aliases: [...aliases, ...guardNames('qwen', name)] }));
  }

  unknown(tools: readonly AnyTool[]): readonly string[] {
    return this.#entries.filter((entry) => !tools.some((tool) => isAbout(entry, tool))).map(({ text }) => text);
  }
}

/** A specifier is only valid in rules. */
function readEntry(text: string): Entry {
  try {
    const rule = parseRule(text);
    return rule.specifier === undefined ? { text, rule } : { text };
  } catch {
    return { text };
  }
}

function isAbout({ rule }: Entry, { name, aliases }: Pick<AnyTool, 'name' | 'aliases'>): boolean {
  return rule !== undefined && namesTool(rule, [name, ...aliases]);
}

export function unknownToolMessage(subject: string, name: string, tools: readonly AnyTool[]): string {
  const near = nearestTool(name, tools);
  const hint = near === undefined ? '' : ` Did you mean ${near}?`;
  return `${subject} names the tool ${name}, which this session does not have.${hint}`;
}

export function nearestTool(name: string, tools: readonly AnyTool[]): string | undefined {
  return nearestName(
    name,
    tools.flatMap((tool) => [tool.name, ...tool.aliases]),
  );
}
