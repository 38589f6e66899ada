import { realpathSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { Environment } from '../config/env.js';
import type { EffectiveSettings, SettingsNotice } from '../config/settings.js';
import type { Plugin, PluginPlace } from './plugin.js';
import { PluginApprovals } from './plugin-approvals.js';
import { invalidPlugin } from './plugin-files.js';
import { mapTexts, readPlugin } from './read-plugin.js';

export interface PluginSources {
  readonly places: readonly PluginPlace[];
  readonly configDir: string;
  readonly cwd: string;
  readonly environment?: Environment;
}

/**
 * Adds the plugins to the settings: their hooks, MCP servers and excluded tools here; other parts are read from
 * `plugins`. Rejects with `invalid_settings` as `readPlugin`.
 */
export async function withPlugins(settings: EffectiveSettings, sources: PluginSources): Promise<EffectiveSettings> {
  const { configDir, cwd, environment = process.env } = sources;
  const approvals = new PluginApprovals(configDir);
  const plugins = new Map<string, Plugin>();
  const notices: SettingsNotice[] = [];
  let joined = settings;
  for (const { path, origin } of sources.places) {
    const folder = folderAt(path);
    if (folder === undefined) {
      if (origin === 'flag') throw invalidPlugin(path, 'there is no such folder');
      notices.push({ code: 'invalid_plugin', message: `plugins: there is no folder ${path}` });
      continue;
    }
    const plugin = await readPlugin({ folder, cwd });
    const first = plugins.get(plugin.name);
    if (first !== undefined) {
      if (first.folder === folder) continue;
      throw invalidPlugin(folder, `the plugin in ${first.folder} has the name ${plugin.name}, too`);
    }
    plugins.set(plugin.name, plugin);
    notices.push(...plugin.notices);
    const approval = origin === 'flag' ? 'approved' : await approvals.of(plugin);
    if (approval === 'guard_lost') {
      const problem = 'it has changed since you approved its hooks, which may block calls';
      throw invalidPlugin(folder, `${problem}. To approve it again, run: qwen plugins add ${folder}`);
    }
    if (approval === 'approved') joined = withRunningParts(joined, plugin, { origin, environment });
    else if (approval !== 'unneeded') notices.push(unapproved(plugin, approval));
    joined = { ...joined, rules: { ...joined.rules, deny: [...joined.rules.deny, ...plugin.deny] } };
  }
  return { ...joined, plugins: [...plugins.values()], notices: [...joined.notices, ...notices] };
}

function folderAt(path: string): string | undefined {
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function withRunningParts(
  settings: EffectiveSettings,
  plugin: Plugin,
  { origin, environment }: { readonly origin: PluginPlace['origin']; readonly environment: Environment },
): EffectiveSettings {
  const { hooks, variables, folder } = plugin;
  const ofHooks = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map((group) => ({ event, group, variables, origin, path: folder })),
  );
  return {
    ...settings,
    ...(settings.runsHooks && { hooks: [...settings.hooks, ...ofHooks] }),
    mcpServers: [
      ...settings.mcpServers,
      ...Object.entries(expandedServers(plugin, environment)).map(([name, config]) => ({
        name,
        config,
        origin,
        path: folder,
      })),
    ],
  };
}

function expandedServers({ servers, variables }: Plugin, environment: Environment): Plugin['servers'] {
  const known: Readonly<Record<string, string | undefined>> = { ...environment, ...variables, '/': sep };
  return mapTexts(servers, (text) =>
    text.replaceAll(
      /\$\{([\w/]+)(?::-([^}]*))?\}/g,
      (all, name: string, other?: string) => (Object.hasOwn(known, name) ? known[name] : undefined) ?? other ?? all,
    ),
  );
}

function unapproved({ name, folder }: Plugin, approval: 'changed' | 'missing'): SettingsNotice {
  const why = approval === 'changed' ? 'have changed since you approved them' : 'are not approved';
  const message = `The hooks and MCP servers of the plugin ${name} ${why} and do not run. Approve them with: qwen plugins add ${folder}`;
  return { code: 'unapproved_plugin', message };
}
