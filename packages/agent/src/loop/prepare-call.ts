import { AgentError, canonicalToolName } from '@qwen/protocol';
import type { CallFacts, ShellFacts } from '../permission/call-facts.js';
import type { PathResolver } from '../ports.js';
import type { AnyTool } from '../tool.js';
import type { RequestedCall } from './answer-builder.js';

/** A call whose input is checked and whose files are known. */
export interface PreparedCall {
  readonly tool: AnyTool;
  /** As the model or the person gave it. */
  readonly rawInput: unknown;
  /** Set when whoever was asked gave this input. */
  readonly changedInput?: Readonly<Record<string, unknown>>;
  /** What `tool.parse` had made of the input before that. */
  readonly proposedInput?: unknown;
  /** What `tool.parse` made of it. */
  readonly input: unknown;
  readonly facts: CallFacts;
  /** The real path that is decided on, for each path as the tool named it. */
  readonly realPaths: ReadonlyMap<string, string>;
}

export interface Workspace {
  readonly cwd: string;
  readonly paths: PathResolver;
}

/** The tool of this name or alias, if there is one. */
export function lookUpTool(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  const byName = tools.find((tool) => tool.name === name);
  if (byName !== undefined) return byName;
  const wanted = name.toLowerCase();
  const canonical = canonicalToolName(name);
  return tools.find(
    (tool) => tool.name === canonical || [tool.name, ...tool.aliases].some((alias) => alias.toLowerCase() === wanted),
  );
}

/** The tool of this name or alias. Throws `unknown_tool` that names the tools there are. */
function findTool(tools: readonly AnyTool[], name: string): AnyTool {
  const found = lookUpTool(tools, name);
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name).join(', ');
  throw new AgentError('unknown_tool', `There is no tool named ${name}. The tools are: ${names}.`);
}

/** Checks the input and finds the real paths of the call. Throws `unknown_tool` and `invalid_tool_input`. */
export async function prepareCall(
  tools: readonly AnyTool[],
  call: Pick<RequestedCall, 'name' | 'input'>,
  { cwd, paths }: Workspace,
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
    ...(tool.isQuestion === true && { isQuestion: true }),
    ...(command !== undefined && { command, shell: await readShell(command, resolved[0]?.realPath, { cwd, paths }) }),
  };
  return { tool, rawInput: call.input, input, facts, realPaths };
}

/** The grammar is loaded with the first command: a session without one never needs it. */
async function readShell(command: string, folder: string | undefined, { cwd, paths }: Workspace): Promise<ShellFacts> {
  const [{ readShellCommand }, { resolveFiles }, { realPath: workspace }] = await Promise.all([
    import('../permission/shell/read-shell-command.js'),
    import('../permission/shell/resolve-files.js'),
    paths.resolve('.', cwd),
  ]);
  const reading = readShellCommand(command, { folder: folder ?? workspace, workspace });
  return { reading, paths: await resolveFiles(reading, { cwd, paths }) };
}

/**
 * Whether the second call must wait for the first because one could conflicts the other: they share a file that one
 * of them changes, or one changes files while the other runs a program.
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
