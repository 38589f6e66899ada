import { homedir } from 'node:os';
import { dirname, resolve } from 'node:path';
import {
  defined,
  fromClaudeMode,
  HOOK_EVENTS,
  type PermissionMode,
  type SandboxSettings,
  type Settings,
} from '@qwen/protocol';
import { unmatchedIn } from '../name-matcher.js';
import type { PluginPlace } from '../plugins/plugin.js';
import { joinModelOptions } from './model-options.js';
import { readProfiles } from './provider-profiles.js';
import {
  type EffectiveSettings,
  type ExtraSettings,
  isOfProject,
  NO_SETTINGS,
  type SettingsLayer,
  type SettingsMcpServer,
  type SettingsNotice,
} from './settings.js';
import type { SettingsLayers } from './settings-layers.js';

/** The most restrictive mode first. */
const MODES_BY_FREEDOM: readonly PermissionMode[] = ['plan', 'default', 'auto-edit', 'yolo'];

/** Rules add up; otherwise the highest trusted layer wins. Pure. */
export function mergeSettings(read: SettingsLayers): EffectiveSettings {
  const { layers, projectFolder, trust, agents } = read;
  const trusted = layers.filter((layer) => layer.trusted);
  const model = trusted.findLast(({ settings }) => settings.model !== undefined)?.settings.model;
  const own = layers.filter((layer) => !isOfProject(layer)).map(({ settings }) => settings);
  const { mode, notices } = chooseMode(layers);
  return {
    rules: {
      allow: trusted.flatMap(({ settings }) => settings.permissions?.allow ?? []),
      ask: layers.flatMap(({ settings }) => settings.permissions?.ask ?? []),
      deny: layers.flatMap(({ settings }) => settings.permissions?.deny ?? []),
    },
    ...(mode !== undefined && { defaultMode: mode }),
    ...(model !== undefined && { model }),
    fallbackModels: [
      trusted.findLast(({ settings }) => settings.fallbackModel !== undefined)?.settings.fallbackModel ?? [],
    ].flat(),
    ...modelSettings(own),
    hooks: joinHooks(trusted),
    runsHooks: !disablesHooks(trusted),
    pluginPlaces: joinPlugins(
      layers.filter((layer) => !isOfProject(layer)),
      projectFolder,
    ),
    plugins: [],
    mcpServers: joinServers(trusted),
    extra: joinExtras(trusted.flatMap(({ foreign }) => foreign?.extra ?? [])),
    additionalDirectories: trusted.flatMap((layer) => directoriesOf(layer, projectFolder)),
    tools: Object.assign({}, ...trusted.map(({ settings }) => settings.tools)),
    sandbox: joinSandbox(layers),
    telemetry: Object.assign({}, ...own.map(({ telemetry }) => telemetry)),
    fileHistory: Object.assign({}, ...own.map(({ fileHistory }) => fileHistory)),
    memory: Object.assign({}, ...own.map(({ memory }) => memory)),
    webSearch: Object.assign({}, ...own.map(({ webSearch }) => webSearch)),
    allowedVariables: own.flatMap(({ security }) => security?.allowedEnvironmentVariables ?? []),
    ui: Object.assign({}, ...own.map(({ ui }) => ui)),
    ...(trust === 'trusted' && agents !== undefined && { projectAgents: agents }),
    notices: [...ignoredNotice(read), ...notices, ...idleHooks(trusted), ...userOnlyNotices(layers)],
  };
}

/** Without trust, a project may only choose a more restrictive mode. */
function chooseMode(layers: readonly SettingsLayer[]): { mode: PermissionMode | undefined; notices: SettingsNotice[] } {
  let mode: PermissionMode | undefined;
  const notices: SettingsNotice[] = [];
  for (const { origin, path, settings, trusted } of layers) {
    const said = fromClaudeMode(settings.permissions?.defaultMode);
    if (said === undefined) continue;
    const widens = freedomOf(said) > freedomOf(mode ?? 'default');
    if (widens && !trusted) continue;
    if (widens && origin === 'project') {
      notices.push({ code: 'project_widens_mode', message: `The project sets the permission mode ${said} (${path}).` });
    }
    mode = said;
  }
  return { mode, notices };
}

function freedomOf(mode: PermissionMode): number {
  return MODES_BY_FREEDOM.indexOf(mode);
}

function modelSettings(
  settings: readonly Settings[],
): Pick<EffectiveSettings, 'modelOptions' | 'profiles' | 'provider' | 'proxy'> {
  const provider = settings.findLast((each) => each.provider !== undefined)?.provider;
  const proxy = settings.findLast((each) => each.proxy !== undefined)?.proxy;
  const join = (member: 'providers' | 'modelProviders' | 'providerProtocol') =>
    Object.assign({}, ...settings.map((each) => each[member]));
  return {
    modelOptions: joinModelOptions(settings.flatMap(({ modelOptions }) => modelOptions ?? [])),
    profiles: readProfiles({
      providers: join('providers'),
      modelProviders: join('modelProviders'),
      providerProtocol: join('providerProtocol'),
    }),
    ...(provider !== undefined && { provider }),
    ...(proxy !== undefined && { proxy }),
  };
}

const USER_ONLY = [
  'modelOptions',
  'provider',
  'providers',
  'modelProviders',
  'proxy',
  'webSearch',
  'plugins',
  'memory',
] as const;

/** A project that chose the provider could read conversations. */
function userOnlyNotices(layers: readonly SettingsLayer[]): SettingsNotice[] {
  return layers.filter(isOfProject).flatMap(({ path, settings }) => {
    const found = USER_ONLY.filter((member) => settings[member] !== undefined);
    if (found.length === 0) return [];
    const [has, it] = found.length === 1 ? ['has', 'it'] : ['have', 'them'];
    const message = `${path}: ${found.join(', ')} ${has} no effect in a project. Move ${it} to ~/.qwen/settings.json.`;
    return [{ code: 'user_setting_in_project', message }];
  });
}

/** A project's `disableAllHooks` disables its own hooks, never the user's guards. */
function joinHooks(layers: readonly SettingsLayer[]): EffectiveSettings['hooks'] {
  if (disablesHooks(layers)) return [];
  const off = layers.filter(({ settings }) => settings.disableAllHooks === true);
  return layers
    .filter((layer) => off.length === 0 || !isOfProject(layer))
    .flatMap(({ origin, path, settings }) =>
      Object.entries(settings.hooks ?? {}).flatMap(([event, groups]) =>
        groups.map((group) => ({ event, group, origin, path })),
      ),
    );
}

function disablesHooks(layers: readonly SettingsLayer[]): boolean {
  return layers.some((layer) => layer.settings.disableAllHooks === true && !isOfProject(layer));
}

function joinPlugins(layers: readonly SettingsLayer[], projectFolder: string): readonly PluginPlace[] {
  return layers.flatMap(({ origin, path, settings: { plugins = [] } }) => {
    const base = origin === 'user' ? dirname(path) : projectFolder;
    return plugins.map((folder) => ({ path: resolve(base, atHome(folder)), origin: 'user' as const }));
  });
}

function atHome(path: string): string {
  return path.replace(/^~(?=[/\\]|$)/, homedir);
}

/** A project, trusted or not, can only make the sandbox stricter. */
function joinSandbox(layers: readonly SettingsLayer[]): EffectiveSettings['sandbox'] {
  const read = (isWanted: (layer: SettingsLayer) => boolean) =>
    layers.filter(isWanted).flatMap(({ settings }) => settings.sandbox ?? []);
  const own = read((layer) => !isOfProject(layer));
  const strict = read(isOfProject);
  if (own.length + strict.length === 0) return NO_SETTINGS.sandbox;
  const last = <Name extends keyof SandboxSettings>(name: Name) =>
    own.findLast((each) => each[name] !== undefined)?.[name];
  const isAny = (name: 'enabled' | 'failIfUnavailable', value: boolean) => strict.some((each) => each[name] === value);
  const tightened = (name: 'autoAllowBashIfSandboxed' | 'allowUnsandboxedCommands') =>
    strict.some((each) => each[name] === false) ? false : last(name);
  const paths = (name: 'allowWrite' | 'denyWrite' | 'denyRead' | 'allowRead', from: readonly SandboxSettings[]) =>
    from.flatMap(({ filesystem }) => filesystem?.[name] ?? []);
  const lowest = (name: 'processes' | 'memoryMiB') => {
    const ofOwn = own.findLast(({ limits }) => limits?.[name] !== undefined)?.limits?.[name];
    const all = [ofOwn, ...strict.map(({ limits }) => limits?.[name])].filter((value) => value !== undefined);
    return all.length === 0 ? undefined : Math.min(...all);
  };
  const isEnabled = isAny('enabled', true) || last('enabled');
  return {
    settings: defined({
      enabled: isEnabled,
      mode: strict.some(({ mode }) => mode === 'read-only') ? 'read-only' : last('mode'),
      failIfUnavailable: isAny('failIfUnavailable', true) || last('failIfUnavailable'),
      autoAllowBashIfSandboxed: tightened('autoAllowBashIfSandboxed'),
      allowUnsandboxedCommands: tightened('allowUnsandboxedCommands'),
      excludedCommands: own.flatMap(({ excludedCommands }) => excludedCommands ?? []),
      filesystem: {
        allowWrite: paths('allowWrite', own),
        denyWrite: paths('denyWrite', [...own, ...strict]),
        denyRead: paths('denyRead', [...own, ...strict]),
        allowRead: paths('allowRead', own),
      },
      network: {
        allowedDomains: own.flatMap(({ network }) => network?.allowedDomains ?? []),
        deniedDomains: [...own, ...strict].flatMap(({ network }) => network?.deniedDomains ?? []),
        allowUnixSockets: own.flatMap(({ network }) => network?.allowUnixSockets ?? []),
      },
      limits: defined({ processes: lowest('processes'), memoryMiB: lowest('memoryMiB') }),
    }),
    isOfProject: isEnabled === true && last('enabled') !== true,
  };
}

/** A layer cannot add tools or servers to those of another one. */
function joinExtras(extras: readonly ExtraSettings[]): ExtraSettings {
  const both = (member: 'coreTools' | 'allowedMcpServers') => {
    const lists = extras.flatMap((extra) => (extra[member] === undefined ? [] : [extra[member]]));
    const [first, ...others] = lists;
    return first === undefined ? {} : { [member]: first.filter((name) => others.every((list) => list.includes(name))) };
  };
  if (extras.length === 0) return { limits: {} };
  return {
    ...Object.assign({}, ...extras),
    limits: Object.assign({}, ...extras.map(({ limits }) => limits)),
    variables: Object.assign({}, ...extras.map(({ variables }) => variables)),
    includeDirectories: extras.flatMap(({ includeDirectories = [] }) => includeDirectories),
    ...both('coreTools'),
    ...both('allowedMcpServers'),
  };
}

function joinServers(layers: readonly SettingsLayer[]): readonly SettingsMcpServer[] {
  const servers = new Map<string, SettingsMcpServer>();
  for (const { origin, path, settings } of layers) {
    for (const [name, config] of Object.entries(settings.mcpServers ?? {})) {
      servers.set(name, { name, config, origin, path });
    }
  }
  return [...servers.values()];
}

function directoriesOf({ origin, path, settings }: SettingsLayer, projectFolder: string): string[] {
  const bases = {
    user: dirname(path),
    project: dirname(dirname(path)),
    local: dirname(dirname(path)),
    flag: projectFolder,
  };
  const base = bases[origin];
  return (settings.permissions?.additionalDirectories ?? []).map((directory) => resolve(base, directory));
}

function ignoredNotice({ layers, projectFolder, trust, agents }: SettingsLayers): SettingsNotice[] {
  if (trust === 'trusted' || trust === 'skipped') return [];
  const ignored = new Set(layers.filter((layer) => !layer.trusted).flatMap(({ settings }) => needsTrust(settings)));
  if (agents !== undefined) ignored.add('agents');
  if (ignored.size === 0) return [];
  const why = {
    untrusted: `${projectFolder} is not a trusted folder.`,
    changed: `The settings or agent files of ${projectFolder} have changed since you trusted the folder.`,
  }[trust];
  const what = `Ignored until you trust it: ${[...ignored].join(', ')}. Its deny and ask rules apply.`;
  return [
    {
      code: 'untrusted_folder',
      message: `${why} ${what} To trust it, run qwen trust, or pass --trust-project for one run.`,
    },
  ];
}

function needsTrust({
  model,
  fallbackModel,
  hooks,
  disableAllHooks,
  mcpServers,
  permissions = {},
}: Settings): string[] {
  const { allow, defaultMode, additionalDirectories } = permissions;
  const mode = fromClaudeMode(defaultMode);
  const asked: Readonly<Record<string, boolean>> = {
    hooks: Object.keys(hooks ?? {}).length > 0 || disableAllHooks === true,
    'MCP servers': Object.keys(mcpServers ?? {}).length > 0,
    'allow rules': (allow ?? []).length > 0,
    'permission mode': mode !== undefined && freedomOf(mode) > freedomOf('default'),
    'additional directories': (additionalDirectories ?? []).length > 0,
    model: model !== undefined || fallbackModel !== undefined,
  };
  return Object.keys(asked).filter((name) => asked[name] === true);
}

/** A guard that silently never runs is worse than none. */
function idleHooks(layers: readonly SettingsLayer[]): SettingsNotice[] {
  const known: readonly string[] = HOOK_EVENTS;
  return layers.flatMap(({ path, settings }) =>
    Object.entries(settings.hooks ?? {}).flatMap(([event, groups]): SettingsNotice[] => {
      if (!known.includes(event)) {
        const problem = `this version of qwen does not support the hook event ${JSON.stringify(event)}; its hooks never run`;
        return [{ code: 'unknown_hook_event', message: `${path}: ${problem}.` }];
      }
      return groups.flatMap(({ matcher }) => {
        const problem = unmatchedIn(event, matcher);
        return problem === undefined ? [] : [{ code: 'unmatched_hook', message: `${path}: ${problem}.` }];
      });
    }),
  );
}
