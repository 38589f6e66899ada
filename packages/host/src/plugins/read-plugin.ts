import { basename, sep } from 'node:path';
import { type CliMcpServerConfig, cliMcpServerConfigSchema, describeIssue, isJsonObject } from '@qwen/protocol';
import * as z from 'zod/mini';
import { MemberReader } from '../config/qwen-code/member-reader.js';
import { translateHooks } from '../config/qwen-code/translate-hooks.js';
import { readRules } from '../config/qwen-code/translate-rules.js';
import type { Plugin } from './plugin.js';
import { invalidPlugin, pathIn, readJsonIn } from './plugin-files.js';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const MANIFESTS = [
  ['.claude-plugin/plugin.json', 'claude'],
  ['qwen-extension.json', 'extension'],
  ['gemini-extension.json', 'extension'],
] as const;

const paths = z.union([z.string(), z.array(z.string())]);
const pathsOrContent = z.union([paths, z.record(z.string(), z.unknown())]);

const manifestSchema = z.looseObject({
  name: z.optional(z.string().check(z.regex(NAME))),
  description: z.optional(z.string()),
  commands: z.optional(paths),
  agents: z.optional(paths),
  skills: z.optional(paths),
  hooks: z.optional(pathsOrContent),
  mcpServers: z.optional(pathsOrContent),
  contextFileName: z.optional(paths),
  excludeTools: z.optional(z.array(z.string())),
});
type Manifest = z.infer<typeof manifestSchema>;

interface Reading {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Manifest;
  readonly kind: 'claude' | 'extension';
  readonly variables: Readonly<Record<string, string>>;
  readonly notices: Plugin['notices'][number][];
}

export interface PluginSource {
  /** Real path. */
  readonly folder: string;
  readonly cwd: string;
}

/**
 * Reads a plugin. Rejects with `invalid_settings` for a path out of its folder, and for a guard that cannot be kept:
 * a hook that may block, or an excluded tool. Other parts without effect are notices.
 */
export async function readPlugin({ folder, cwd }: PluginSource): Promise<Plugin> {
  const { manifest, kind } = await readManifest(folder);
  const { name = basename(folder), description } = manifest;
  if (!NAME.test(name)) throw invalidPlugin(folder, `${JSON.stringify(name)} is not a name; set one in its manifest`);
  const variables = { CLAUDE_PLUGIN_ROOT: folder, extensionPath: folder, workspacePath: cwd };
  const reading: Reading = { folder, name, manifest, kind, variables, notices: [] };
  return {
    name,
    folder,
    ...(description !== undefined && { description }),
    commandFolders: placesOf(reading, 'commands'),
    agentFolders: placesOf(reading, 'agents'),
    skillFolders: placesOf(reading, 'skills'),
    instructionFiles: instructionsOf(reading),
    hooks: await readHooks(reading),
    variables,
    servers: await readServers(reading),
    deny: readExcluded(reading),
    notices: reading.notices,
  };
}

async function readManifest(folder: string): Promise<Pick<Reading, 'manifest' | 'kind'>> {
  for (const [path, kind] of MANIFESTS) {
    const json = await readJsonIn(folder, path);
    if (json === undefined) continue;
    const parsed = z.safeParse(manifestSchema, json);
    if (!parsed.success) throw invalidPlugin(folder, `${path}: ${describeIssue('manifest', parsed.error)}`);
    return { manifest: parsed.data, kind };
  }
  const parts = ['commands', 'agents', 'skills', 'hooks/hooks.json', '.mcp.json'];
  if (parts.some((path) => pathIn(folder, path) !== undefined)) return { manifest: {}, kind: 'claude' };
  throw invalidPlugin(
    folder,
    'it contains neither a manifest such as .claude-plugin/plugin.json nor a part of a plugin',
  );
}

function placesOf({ folder, manifest, notices }: Reading, part: 'commands' | 'agents' | 'skills'): readonly string[] {
  const named = [manifest[part] ?? []].flat();
  const found = [part, ...named].map((path) => pathIn(folder, path));
  for (const [index, path] of named.entries()) {
    if (found[index + 1] !== undefined) continue;
    notices.push({ code: 'invalid_plugin', message: `${folder}: ${part}: there is no ${JSON.stringify(path)}` });
  }
  return [...new Set(found.filter((path) => path !== undefined))];
}

function instructionsOf({ folder, manifest: { contextFileName }, kind }: Reading): readonly string[] {
  const usual = kind === 'extension' ? ['QWEN.md', 'GEMINI.md'] : [];
  return (contextFileName === undefined ? usual : [contextFileName].flat()).flatMap(
    (path) => pathIn(folder, path) ?? [],
  );
}

const EVENTS: ReadonlyMap<string, string> = new Map([
  ['BeforeTool', 'PreToolUse'],
  ['AfterTool', 'PostToolUse'],
  ['BeforeAgent', 'UserPromptSubmit'],
  ['AfterAgent', 'Stop'],
  ['PreCompress', 'PreCompact'],
]);
/** Of other programs: here they would not run. */
const OTHER_GUARDS: readonly string[] = ['BeforeModel', 'BeforeToolSelection'];

async function readHooks(reading: Reading): Promise<Plugin['hooks']> {
  const { folder, manifest, notices } = reading;
  const files = await contentsOf(reading, manifest.hooks, 'hooks/hooks.json');
  const joined: Record<string, Plugin['hooks'][string]> = {};
  for (const { path, json } of files) {
    const events = isJsonObject(json['hooks']) ? json['hooks'] : json;
    const named = Object.entries(events).map(([event, groups]) => [EVENTS.get(event) ?? event, groups]);
    const reader = new MemberReader({ hooks: forShell(Object.fromEntries(named)) });
    const { hooks, lostGuard } = translateHooks(reader);
    const unused = reader.unused.map(
      ({ path: member, reason = 'it has no effect' }) => `${path}: ${member}: ${reason}`,
    );
    const guard = OTHER_GUARDS.find((event) => Object.hasOwn(events, event));
    if (lostGuard || guard !== undefined) {
      throw invalidPlugin(folder, unused.join('; ') || `${path}: hooks of ${guard} cannot run here`);
    }
    notices.push(...unused.map((message) => ({ code: 'invalid_plugin', message: `${folder}: ${message}` })));
    for (const [event, groups] of Object.entries(hooks)) joined[event] = [...(joined[event] ?? []), ...groups];
  }
  return joined;
}

function forShell<Value>(hooks: Value): Value {
  return mapTexts(hooks, (text) => text.replaceAll('${/}', '/'));
}

async function readServers(reading: Reading): Promise<Plugin['servers']> {
  const { folder, name: plugin, manifest, notices } = reading;
  const servers: Record<string, CliMcpServerConfig> = {};
  for (const { path, json } of await contentsOf(reading, manifest.mcpServers, '.mcp.json')) {
    const given = isJsonObject(json['mcpServers']) ? json['mcpServers'] : json;
    for (const [name, value] of Object.entries(given)) {
      const parsed = cliMcpServerConfigSchema.safeParse(value);
      if (parsed.success) {
        // Only the user can trust a server.
        const { trust: _trust, ...config } = parsed.data;
        servers[`plugin_${plugin}_${name}`] = { ...config, extensionName: plugin };
        continue;
      }
      const problem = describeIssue(`${path}: ${name}`, parsed.error);
      notices.push({ code: 'invalid_plugin', message: `${folder}: the MCP server was skipped: ${problem}` });
    }
  }
  return servers;
}

function readExcluded({ folder, manifest: { excludeTools = [] } }: Reading): readonly string[] {
  const reader = new MemberReader({ tools: { exclude: excludeTools } });
  const { deny, isLost } = readRules(reader);
  if (isLost) throw invalidPlugin(folder, 'excludeTools: a name is not that of a tool');
  return deny;
}

async function contentsOf({ folder }: Reading, given: Manifest['hooks'], usual: string) {
  const files = typeof given === 'string' || Array.isArray(given) ? [given].flat() : [];
  const contents = new Map<string, Readonly<Record<string, unknown>>>();
  for (const path of [usual, ...files]) {
    const realPath = pathIn(folder, path);
    const json = await readJsonIn(folder, path);
    if (json === undefined && path !== usual) throw invalidPlugin(folder, `there is no file ${JSON.stringify(path)}`);
    if (json !== undefined && realPath !== undefined) contents.set(realPath, json);
  }
  if (isJsonObject(given)) contents.set('manifest', given);
  return [...contents].map(([path, json]) => ({ path: path.replace(`${folder}${sep}`, ''), json }));
}

export function mapTexts<Value>(value: Value, change: (text: string) => string): Value {
  const changed: unknown = JSON.parse(JSON.stringify(value), (_name, member: unknown) =>
    typeof member === 'string' ? change(member) : member,
  );
  // Only texts change.
  return changed as Value;
}
