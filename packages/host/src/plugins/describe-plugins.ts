import { realpathSync } from 'node:fs';
import { AgentError } from '@qwen/protocol';
import { mergeSettings } from '../config/merge-settings.js';
import { findSettingsFiles } from '../config/settings-files.js';
import { readLayers } from '../config/settings-layers.js';
import type { Plugin } from './plugin.js';
import { type Approval, PluginApprovals } from './plugin-approvals.js';
import { readPlugin } from './read-plugin.js';

export interface KnownPlugin {
  /** Missing if it cannot be read. */
  readonly name?: string;
  /** Absolute, as in the settings. */
  readonly path: string;
  /** Real path. */
  readonly folder?: string;
  readonly state: 'approved' | 'not approved' | 'changed since its approval' | 'broken';
  readonly parts: readonly string[];
  readonly problems: readonly string[];
}

interface SettingsPlace {
  readonly configDir: string;
  readonly cwd: string;
}

/** The paths of the user's settings, absolute. Rejects with `invalid_settings`. */
export async function userPlugins({ configDir, cwd }: SettingsPlace): Promise<readonly string[]> {
  const sources = { configDir, cwd, flags: { settingSources: ['user'] } };
  const { pluginPlaces } = mergeSettings(await readLayers(findSettingsFiles(sources), sources));
  return pluginPlaces.map(({ path }) => path);
}

export async function describePlugins(place: SettingsPlace): Promise<readonly KnownPlugin[]> {
  const approvals = new PluginApprovals(place.configDir);
  const paths = await userPlugins(place);
  return Promise.all(paths.map((path) => describe(path, place.cwd, approvals)));
}

const STATES = {
  approved: 'approved',
  unneeded: 'approved',
  missing: 'not approved',
  changed: 'changed since its approval',
  guard_lost: 'changed since its approval',
} as const satisfies Record<Approval, KnownPlugin['state']>;

async function describe(path: string, cwd: string, approvals: PluginApprovals): Promise<KnownPlugin> {
  try {
    const plugin = await readPlugin({ folder: realpathSync(path), cwd });
    const { name, folder, notices } = plugin;
    const state = STATES[await approvals.of(plugin)];
    return { name, path, folder, state, parts: partsOf(plugin), problems: notices.map(({ message }) => message) };
  } catch (thrown) {
    return { path, state: 'broken', parts: [], problems: [AgentError.from(thrown).message] };
  }
}

function partsOf(plugin: Plugin): readonly string[] {
  const { commandFolders, agentFolders, skillFolders, instructionFiles, hooks, servers, deny } = plugin;
  const counts = {
    commands: commandFolders.length,
    subagents: agentFolders.length,
    skills: skillFolders.length,
    instructions: instructionFiles.length,
    hooks: Object.keys(hooks).length,
    'MCP servers': Object.keys(servers).length,
    'excluded tools': deny.length,
  };
  return Object.entries(counts).flatMap(([part, count]) => (count === 0 ? [] : [part]));
}
