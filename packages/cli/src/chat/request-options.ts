import type { AnyTool, PromptMessage } from '@qwen/agent';
import { type HostToolDefinition, toHostTool } from '@qwen/host/sessions/host-tools.js';
import { AgentError, defined, toolNameKey } from '@qwen/protocol';
import type { ChatRequest } from '@qwen/protocol/openai';

/** Per-request overrides. */
export type Overrides = NonNullable<PromptMessage['overrides']>;

export type NamedTool = Pick<AnyTool, 'name' | 'aliases'>;

export function hostToolsOf({ tools }: ChatRequest, own: readonly NamedTool[]): HostToolDefinition[] {
  return (tools ?? [])
    .filter((tool) => findTool(tool.function.name, own) === undefined)
    .map((tool) => toHostTool(tool.function));
}

export interface OfferedTools {
  readonly own: readonly NamedTool[];
  readonly host: readonly NamedTool[];
}

/** Undefined if there are none. Throws `invalid_message` for an unknown tool or a number out of range. */
export function overridesOf(request: ChatRequest, offered: OfferedTools): Overrides | undefined {
  const { options } = request;
  const model = options?.model ?? request.model;
  const temperature = within('temperature', options?.temperature, { least: 0, most: 2 });
  const topP = within('top_p', options?.top_p, { least: 0, most: 1 });
  const maxOutputTokens = within('max_tokens', options?.max_tokens, { least: 1, most: Number.MAX_SAFE_INTEGER });
  const toolNames = toolNamesOf(request, offered);
  const overrides = {
    ...(model && { model }),
    ...defined({ temperature, topP, maxOutputTokens, toolNames }),
  };
  return Object.keys(overrides).length === 0 ? undefined : overrides;
}

interface Bounds {
  readonly least: number;
  readonly most: number;
}

function within(name: string, value: number | null | undefined, { least, most }: Bounds): number | undefined {
  if (value === null || value === undefined) return undefined;
  if (value >= least && value <= most) return value;
  throw new AgentError('invalid_message', `request.options.${name}: expected a number from ${least} to ${most}`);
}

/** The allow-list of the options, or the tools of the request if a built-in one is among them. */
function toolNamesOf({ options, tools }: ChatRequest, { own, host }: OfferedTools): readonly string[] | undefined {
  const listed = (tools ?? []).map((tool) => tool.function.name);
  const isRestricted = listed.some((name) => findTool(name, own) !== undefined);
  const names = options?.tool_overrides ?? (isRestricted ? listed : undefined);
  return names?.map((name) => nameOf(name, [...own, ...host]));
}

function nameOf(name: string, offered: readonly NamedTool[]): string {
  const tool = findTool(name, offered);
  if (tool === undefined) throw new AgentError('invalid_message', `request: there is no tool "${name}"`);
  return tool.name;
}

/** Matches a name, an alias or a class name: `EditTool` and `edit_file` are `edit`. */
function findTool(name: string, tools: readonly NamedTool[]): NamedTool | undefined {
  const asked = toolNameKey(name);
  return tools.find(({ name: own, aliases }) => [own, ...aliases].some((one) => toolNameKey(one) === asked));
}
