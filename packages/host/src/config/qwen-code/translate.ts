import { defined, type FoundIssue, isJsonObject, type JsonObject, type Settings } from '@qwen/protocol';
import * as z from 'zod/mini';
import { checkSettings } from '../check-settings.js';
import { findSecrets } from '../secret-settings.js';
import type { ExtraSettings, SettingsOrigin } from '../settings.js';
import { findUnknownSettings } from '../unknown-settings.js';
import { leavesOf, MemberReader, type UnusedMember, valueAt } from './member-reader.js';
import { translateHooks } from './translate-hooks.js';
import { translateModels, translateProviders } from './translate-models.js';
import { confine, readMode, readNames, readRules, readSelection, withRules } from './translate-rules.js';

export type TranslatedSettings =
  | {
      readonly ok: true;
      readonly settings: Settings;
      readonly extra: ExtraSettings;
      readonly unused: readonly UnusedMember[];
    }
  | { readonly ok: false; readonly issue: FoundIssue };

const RENAMED: Readonly<Record<string, string>> = {
  model: 'model.name',
  accessibility: 'ui.accessibility',
  allowMCPServers: 'mcp.allowed',
  allowedTools: 'tools.allowed',
  approvalMode: 'tools.approvalMode',
  contentGenerator: 'model.generationConfig',
  contextFileName: 'context.fileName',
  coreTools: 'tools.core',
  disableAutoUpdate: 'general.disableAutoUpdate',
  disableCacheControl: 'model.generationConfig.disableCacheControl',
  disableUpdateNag: 'general.disableUpdateNag',
  excludeMCPServers: 'mcp.excluded',
  excludeTools: 'tools.exclude',
  fileFiltering: 'context.fileFiltering',
  folderTrust: 'security.folderTrust.enabled',
  includeDirectories: 'context.includeDirectories',
  maxSessionTurns: 'model.maxSessionTurns',
  preferredEditor: 'general.preferredEditor',
  sandbox: 'tools.sandbox',
  selectedAuthType: 'security.auth.selectedType',
  sessionTokenLimit: 'model.sessionTokenLimit',
  theme: 'ui.theme',
  usageStatisticsEnabled: 'privacy.usageStatisticsEnabled',
};

/** Values that qwen always has. */
const SAME: Readonly<Record<string, unknown>> = {
  'general.enableAutoUpdate': false,
  'general.disableAutoUpdate': true,
  'general.disableUpdateNag': true,
  'privacy.usageStatisticsEnabled': false,
  'security.folderTrust.enabled': true,
  'context.fileFiltering.respectGitIgnore': true,
  'context.fileFiltering.respectQwenIgnore': true,
  'tools.sandbox': false,
};

const EDITORS: Readonly<Record<string, string>> = {
  vscode: 'code --wait',
  vscodium: 'codium --wait',
  cursor: 'cursor --wait',
  windsurf: 'windsurf --wait',
  trae: 'trae --wait',
  zed: 'zed --wait',
  vim: 'vim',
  neovim: 'nvim',
  emacs: 'emacs',
};

const fileName = z.string().check(z.regex(/^(?!\.{1,2}$)[^/\\]+$/));

export interface TranslationSource {
  readonly origin: SettingsOrigin;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * Never loses a valid member because of an invalid one. Invalid rules, and secrets in files of a project or the
 * command line, are issues.
 */
export function translateSettings(json: JsonObject, { origin, environment }: TranslationSource): TranslatedSettings {
  const isOfProject = origin === 'project' || origin === 'local';
  const [secret] = origin === 'project' ? findSecrets(json) : [];
  if (secret !== undefined) return { ok: false, issue: secret };
  const reader = new MemberReader(isOfProject ? json : withVariables(json, environment));
  useCurrentNames(reader);
  if (isOfProject) refuseUserMembers(reader);
  const isConfined = wantsSandbox(reader);
  for (const [path, value] of Object.entries(SAME)) {
    const given = reader.take(path);
    if (given !== undefined && given !== value) reader.refuse(path);
  }
  const { limits, ...models } = translateModels(reader);
  const { variables, authType, ...providers } = translateProviders(reader, models.model);
  const { hooks, lostGuard } = translateHooks(reader);
  const rules = readRules(reader);
  const selection = readSelection(reader);
  const directories = readNames(reader, 'context.includeDirectories');
  const instructionFiles = readFileNames(reader, isOfProject);
  const ui = readUi(reader);
  const telemetry = readTelemetry(reader);
  const mode = readMode(reader);
  const own = repair(ownMembers(reader), reader, origin === 'user');
  if (own.issue !== undefined) return { ok: false, issue: own.issue };
  const given = {
    ...defined({ ...models }),
    ...providers,
    hooks,
    permissions: { ...mode, ...(isOfProject && directories.length > 0 && { additionalDirectories: directories }) },
    ui,
    telemetry,
  };
  const joined = repair(withRules(join(given, own.settings), rules), reader, origin === 'user');
  if (joined.issue !== undefined) return { ok: false, issue: joined.issue };
  const isLost = lostGuard || rules.isLost || own.isLost || joined.isLost;
  const modeName =
    own.settings.permissions?.defaultMode === undefined ? 'tools.approvalMode' : 'permissions.defaultMode';
  const settings = confine(joined.settings, { isLost, isConfined, modeName, reader });
  const all: JsonObject = { ...reader.rest, ...settings };
  const unknown = findUnknownSettings(all).flatMap(({ path }) => leavesOf(valueAt(all, path), path.join('.')));
  return {
    ok: true,
    settings,
    extra: {
      limits,
      ...selection,
      ...(instructionFiles !== undefined && { instructionFiles }),
      ...(!isOfProject && { includeDirectories: directories, variables, ...(authType !== undefined && { authType }) }),
    },
    unused: [...reader.unused, ...unknown.map((path) => ({ path }))],
  };
}

const USER_MEMBERS = [
  'env',
  'general.preferredEditor',
  'model.baseUrl',
  'model.maxSessionTurns',
  'model.maxToolCalls',
  'model.maxWallTimeSeconds',
  'model.sessionTokenLimit',
  'security.auth',
  'telemetry',
  'ui',
];

/** A project must not choose who receives conversations, or how programs run. */
function refuseUserMembers(reader: MemberReader): void {
  for (const path of USER_MEMBERS) {
    for (const leaf of leavesOf(reader.take(path) ?? {}, path)) reader.refuse(leaf, 'only in your own settings');
  }
}

function useCurrentNames(reader: MemberReader): void {
  const version = reader.take('$version');
  if (typeof version === 'number' && version >= 2) return;
  for (const [from, to] of Object.entries(RENAMED)) {
    const isOwn = from === 'model' ? typeof reader.rest[from] !== 'string' : isJsonObject(reader.rest['sandbox']);
    if (!isOwn || (from !== 'model' && from !== 'sandbox')) reader.rename(from, to);
  }
}

/** Resolves `$NAME` and `${NAME}`, except where a shell or a profile does. */
export function withVariables(json: JsonObject, environment: TranslationSource['environment']): JsonObject {
  const resolveIn = (value: unknown): unknown => {
    if (typeof value === 'string') {
      return value.replaceAll(/\$(?:(\w+)|\{([^}]+)\})/g, (text, short?: string, long?: string) => {
        return environment[short ?? long ?? ''] ?? text;
      });
    }
    if (Array.isArray(value)) return value.map(resolveIn);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolveIn(member)]));
  };
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === 'hooks' || name === 'providers' ? value : resolveIn(value),
    ]),
  );
}

/** Without a sandbox, a mode that relies on it would allow more than was meant. */
function wantsSandbox(reader: MemberReader): boolean {
  const { tools } = reader.rest;
  if (!isJsonObject(tools)) return false;
  return (tools['sandbox'] ?? false) !== false || tools['executionSandbox'] !== undefined;
}

function readFileNames(reader: MemberReader, isOfProject: boolean): readonly string[] | undefined {
  const path = 'context.fileName';
  const given = reader.take(path);
  if (given === undefined) return undefined;
  const read = [given].flat().flatMap((name: unknown) => {
    const parsed = fileName.safeParse(name);
    return parsed.success && (!isOfProject || /\.md$/i.test(parsed.data)) ? [parsed.data] : [];
  });
  if (read.length < [given].flat().length) reader.refuse(path, 'expected file names');
  return read.length === 0 ? undefined : read;
}

function readUi(reader: MemberReader): JsonObject {
  const theme = reader.read('ui.theme', z.string());
  const screenReader = reader.read('ui.accessibility.screenReader', z.boolean());
  const editor = reader.read('general.preferredEditor', z.string());
  const command = editor !== undefined && Object.hasOwn(EDITORS, editor) ? EDITORS[editor] : undefined;
  if (editor !== undefined && command === undefined) reader.refuse('general.preferredEditor', 'unknown editor');
  const isKnown = theme === undefined || toTheme(theme) !== undefined;
  if (!isKnown) reader.refuse('ui.theme', 'unknown theme');
  return defined({ theme: theme === undefined ? undefined : toTheme(theme), screenReader, editor: command });
}

function toTheme(name: string): string | undefined {
  if (/^no ?color$|^none$/i.test(name)) return 'none';
  if (/^ansi/i.test(name)) return 'ansi';
  if (/light|^google code$|^xcode$|^vs$/i.test(name)) return 'light';
  if (/dark|^default$|^dracula$|^atom one$|^ayu$|^github$|^shades of purple$|^vs2015$/i.test(name)) return 'dark';
  return name === 'auto' ? name : undefined;
}

/** With a destination that qwen cannot use, nothing is sent. */
function readTelemetry(reader: MemberReader): JsonObject {
  const enabled = reader.read('telemetry.enabled', z.boolean());
  const rest = reader.rest['telemetry'];
  const hasMore = isJsonObject(rest) && Object.keys(rest).length > 0;
  if (enabled === true && hasMore) reader.refuse('telemetry.enabled', 'set the OTEL_ variables instead');
  return enabled === undefined || (enabled && hasMore) ? {} : { enabled };
}

function ownMembers(reader: MemberReader): JsonObject {
  const unknown = new Set(findUnknownSettings(reader.rest).map(({ path }) => path.join('.')));
  const own: Record<string, unknown> = {};
  for (const name of Object.keys(reader.rest).filter((each) => !unknown.has(each))) {
    const value = reader.take(name);
    if (name !== 'model' || !isJsonObject(value)) own[name] = value;
    else for (const path of leavesOf(value, name)) reader.refuse(path);
  }
  return own;
}

function join(one: JsonObject, other: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = joined[name];
    joined[name] = isJsonObject(before) && isJsonObject(value) ? { ...before, ...value } : value;
  }
  return joined;
}

type Repaired =
  | { readonly settings: Settings; readonly isLost: boolean; readonly issue?: undefined }
  | { readonly issue: FoundIssue };

function repair(own: JsonObject, reader: MemberReader, skipsRules: boolean): Repaired {
  let current: unknown = own;
  let isLost = false;
  for (;;) {
    const checked = checkSettings(current, 'user');
    if (checked.ok) return { settings: checked.settings, isLost };
    const [issue] = checked.issues;
    if (issue === undefined) return { issue: { path: [], problem: 'it does not match the settings schema' } };
    const isOfRules = issue.path[0] === 'permissions';
    if (isOfRules && !skipsRules) return { issue };
    isLost ||= issue.path[0] === 'hooks';
    isLost ||= isOfRules && issue.path[1] !== 'defaultMode' && issue.path[1] !== 'allow';
    const path = issue.path.slice(0, DEPTHS.get(String(issue.path[0])));
    reader.refuse(path.join('.'), issue.problem);
    current = without(current, path);
  }
}

const DEPTHS: ReadonlyMap<string, number> = new Map([
  ['mcpServers', 2],
  ['providers', 2],
  ['hooks', 3],
]);

function without(value: unknown, [name, ...rest]: FoundIssue['path']): unknown {
  if (Array.isArray(value)) {
    const index = Number(name);
    return rest.length === 0 ? value.toSpliced(index, 1) : value.with(index, without(value[index], rest));
  }
  if (!isJsonObject(value) || name === undefined) return undefined;
  const { [name]: member, ...others } = value;
  return rest.length === 0 ? others : { ...others, [name]: without(member, rest) };
}
