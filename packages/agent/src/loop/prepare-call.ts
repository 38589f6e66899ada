import { AgentError, canonicalToolName } from '@qwen/protocol';
import type { CallFacts, ShellFacts } from '../permission/call-facts.js';
import type { RuleSet } from '../permission/rule-set.js';
import type { PathResolver } from '../ports.js';
import type { AnyTool } from '../tool.js';
import type { ToolPreview } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

export interface PreparedCall {
  readonly tool: AnyTool;
  readonly rawInput: unknown;
  readonly changedInput?: Readonly<Record<string, unknown>>;
  /** The result of `tool.parse` before that change. */
  readonly proposedInput?: unknown;
  /** What the user approved. */
  readonly approvedPreview?: ToolPreview;
  readonly input: unknown;
  readonly facts: CallFacts;
  /** The decision uses these, by the path as the tool named it. */
  readonly realPaths: ReadonlyMap<string, string>;
}

export interface Workspace {
  readonly cwd: string;
  readonly paths: PathResolver;
  readonly rules: { readonly current: RuleSet };
}

export function lookUpTool(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  const byName = tools.find((tool) => tool.name === name);
  if (byName !== undefined) return byName;
  const wanted = name.toLowerCase();
  const canonical = canonicalToolName(name);
  return tools.find(
    (tool) => tool.name === canonical || [tool.name, ...tool.aliases].some((alias) => alias.toLowerCase() === wanted),
  );
}

/** Throws `unknown_tool`, which lists the tools. */
function findTool(tools: readonly AnyTool[], name: string): AnyTool {
  const found = lookUpTool(tools, name);
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name).join(', ');
  throw new AgentError('unknown_tool', `There is no tool named ${name}. The tools are: ${names}.`);
}

/** Throws `unknown_tool` and `invalid_tool_input`. */
export async function prepareCall(
  tools: readonly AnyTool[],
  call: Pick<RequestedCall, 'name' | 'input'>,
  { cwd, paths, rules }: Workspace,
): Promise<PreparedCall> {
  const tool = findTool(tools, call.name);
  const input: unknown = tool.parse(call.input);
  const named = tool.paths(input, cwd);
  const resolved = await Promise.all(
    named.map(async ({ path, access }) => ({ ...(await paths.resolve(path, cwd)), access })),
  );
  const realPaths = new Map(named.map(({ path }, index) => [path, resolved[index]?.realPath ?? path]));
  const command = tool.command?.(input);
  const facts: CallFacts = {
    toolName: tool.name,
    aliases: tool.aliases,
    kind: tool.kind,
    paths: resolved,
    ...(tool.isTrusted === true && { isTrusted: true }),
    ...(tool.definition !== undefined && { definition: tool.definition }),
    ...(tool.isQuestion === true && { isQuestion: true }),
    ...(command !== undefined && {
      command,
      shell: await readShell(command, resolved[0]?.realPath, { cwd, paths, rules }),
    }),
  };
  // Hooks and callbacks must judge the members that the tool reads.
  const rawInput = tool.withOwnNames?.(call.input) ?? call.input;
  return { tool, rawInput, input, facts, realPaths };
}

/** Loads the grammar with the first command. */
async function readShell(
  command: string,
  folder: string | undefined,
  { cwd, paths, rules }: Workspace,
): Promise<ShellFacts> {
  const [{ readShellCommand }, { resolveFiles }, { realPath: workspace }] = await Promise.all([
    import('../permission/shell/read-shell-command.js'),
    import('../permission/shell/resolve-files.js'),
    paths.resolve('.', cwd),
  ]);
  const reading = readShellCommand(command, { folder: folder ?? workspace, workspace });
  return { reading, ...(await resolveFiles(reading, { cwd, paths, workspace, rules: rules.current })) };
}

/**
 * Whether two calls must not overlap: one changes a file of the other, or one edits while the other runs a program.
 */
export function conflicts(first: CallFacts, second: CallFacts): boolean {
  const kinds = [first.kind, second.kind];
  if (kinds.includes('edit') && kinds.includes('execute')) return true;
  return first.paths.some((left) =>
    second.paths.some(
      (right) => left.realPath === right.realPath && (left.access === 'write' || right.access === 'write'),
    ),
  );
}
