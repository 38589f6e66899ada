import {
  AgentError,
  bareToolName,
  type CanonicalInput,
  canonicalInput,
  canonicalToolName,
  toolNameKey,
} from '@qwen/protocol';
import type { CallFacts, ShellFacts } from '../permission/call-facts.js';
import type { RuleSet } from '../permission/rule-set.js';
import type { PathResolver } from '../ports.js';
import type { AnyTool } from '../tool.js';
import type { ToolPreview } from '../tool-view.js';
import type { RequestedCall } from './answer-builder.js';

export interface PreparedCall {
  readonly tool: AnyTool;
  /** In the names and types of the schema, before `tool.parse`. All who decide about the call see this. */
  readonly rawInput: unknown;
  /** How it differs from the call, for the model. */
  readonly notes: readonly string[];
  readonly changedInput?: Readonly<Record<string, unknown>>;
  /** The result of `tool.parse` before that change. */
  readonly proposedInput?: unknown;
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

type NamedCall = Pick<RequestedCall, 'name' | 'input'>;

/** Accepts another spelling or a known foreign name, if only one tool has it. */
export function lookUpTool(tools: readonly AnyTool[], call: NamedCall): AnyTool | undefined {
  const found = find(tools, call.name) ?? find(tools, bareToolName(call.name));
  return found?.name === 'edit' && isView(call.input) ? find(tools, 'read_file') : found;
}

/** Whether an editor with several commands is only to show a file. */
function isView(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'command' in input && input.command === 'view';
}

function find(tools: readonly AnyTool[], name: string): AnyTool | undefined {
  const byName = tools.find((tool) => tool.name === name);
  if (byName !== undefined) return byName;
  const wanted = name.toLowerCase();
  const canonical = canonicalToolName(name);
  const known = tools.find(
    (tool) => tool.name === canonical || [tool.name, ...tool.aliases].some((alias) => alias.toLowerCase() === wanted),
  );
  if (known !== undefined) return known;
  const spelled = tools.filter((tool) => toolNameKey(tool.name) === toolNameKey(name));
  return spelled.length === 1 ? spelled[0] : undefined;
}

/** Throws `unknown_tool`, which lists the tools and names the rule that removed this one. */
function findTool(tools: readonly AnyTool[], call: NamedCall, rules: RuleSet): AnyTool {
  const { name } = call;
  const found = lookUpTool(tools, call);
  if (found !== undefined) return found;
  const names = tools.map((tool) => tool.name).join(', ');
  const rule = rules.deniesTool(name);
  const why =
    rule === undefined ? `There is no tool named ${name}.` : `Permission denied: rule ${rule} forbids ${name}.`;
  throw new AgentError('unknown_tool', `${why} The tools are: ${names}.`);
}

export function canonicalCallInput(tool: AnyTool, input: unknown): CanonicalInput {
  return tool.canonical?.(input) ?? canonicalInput(tool.inputSchema, input);
}

/** Throws `unknown_tool` and `invalid_tool_input`. */
export async function prepareCall(
  tools: readonly AnyTool[],
  call: NamedCall,
  { cwd, paths, rules }: Workspace,
): Promise<PreparedCall> {
  const tool = findTool(tools, call, rules.current);
  const { input: rawInput, notes } = canonicalCallInput(tool, call.input);
  const input: unknown = tool.parse(rawInput);
  const named = tool.paths(input, cwd);
  const resolved = await Promise.all(
    named.map(async ({ path, access }) => ({ ...(await paths.resolve(path, cwd)), access })),
  );
  const realPaths = new Map(named.map(({ path }, index) => [path, resolved[index]?.realPath ?? path]));
  const command = tool.command?.(input);
  const workspace = command === undefined ? undefined : await paths.resolve('.', cwd);
  if (workspace !== undefined) realPaths.set(workspace.path, workspace.realPath);
  const confinement = tool.confinement?.(input);
  const host = tool.host?.(input);
  const facts: CallFacts = {
    toolName: tool.name,
    aliases: tool.aliases,
    kind: tool.kind,
    paths: resolved,
    ...(tool.isTrusted === true && { isTrusted: true }),
    ...(confinement !== undefined && { confinement }),
    ...(host !== undefined && { host }),
    ...(tool.definition !== undefined && { definition: tool.definition }),
    ...(tool.service !== undefined && { service: tool.service }),
    ...(tool.isQuestion === true && { isQuestion: true }),
    ...(command !== undefined &&
      workspace !== undefined && {
        command,
        shell: await readShell(
          { command, folder: resolved[0]?.realPath ?? workspace.realPath, workspace: workspace.realPath },
          { cwd, paths, rules },
        ),
      }),
  };
  return { tool, rawInput, notes, input, facts, realPaths };
}

/** Loads the grammar with the first command. */
async function readShell(
  { command, folder, workspace }: { readonly command: string; readonly folder: string; readonly workspace: string },
  { cwd, paths, rules }: Workspace,
): Promise<ShellFacts> {
  const [{ readShellCommand }, { resolveFiles }] = await Promise.all([
    import('../permission/shell/read-shell-command.js'),
    import('../permission/shell/resolve-files.js'),
  ]);
  const reading = readShellCommand(command, { folder, workspace });
  return { reading, ...(await resolveFiles(reading, { cwd, paths, workspace, rules: rules.current })) };
}

/**
 * Whether two calls must not overlap: one changes a file or folder of the other, both use a server and one changes its
 * state, or one runs a program while the other edits or runs one. Commands that only read may overlap.
 */
export function conflicts(first: CallFacts, second: CallFacts): boolean {
  const kinds = [first.kind, second.kind];
  if (kinds.includes('edit') && kinds.includes('execute')) return true;
  if (kinds.every((kind) => kind === 'execute') && !(onlyReads(first) && onlyReads(second))) return true;
  if (changesService(first, second)) return true;
  return first.paths.some((left) =>
    second.paths.some(
      (right) =>
        (left.access === 'write' || right.access === 'write') &&
        (isIn(left.realPath, right.realPath) || isIn(right.realPath, left.realPath)),
    ),
  );
}

/** Also true for the same path. */
function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder) && (/[\\/]$/.test(folder) || /^(?:[\\/]|$)/.test(path.slice(folder.length)));
}

/** A tool that changes the state of its server may also change files. */
function changesService(first: CallFacts, second: CallFacts): boolean {
  if (first.service?.changes !== true && second.service?.changes !== true) return false;
  const mayChange = ({ service, kind }: CallFacts) =>
    service?.changes === true || kind === 'edit' || kind === 'execute';
  return first.service?.name === second.service?.name || (mayChange(first) && mayChange(second));
}

function onlyReads({ shell }: CallFacts): boolean {
  if (shell === undefined) return false;
  const { commands, files, complexity, obstacle, unclear } = shell.reading;
  return (
    (complexity ?? obstacle ?? unclear) === undefined &&
    commands.every(({ readOnlyFiles }) => readOnlyFiles !== undefined) &&
    files.every(({ access }) => access === 'read')
  );
}
