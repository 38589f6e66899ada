import { join } from 'node:path';
import * as z from 'zod/mini';
import { GUARDS } from '../config/qwen-code/translate-hooks.js';
import { withSettingsLock } from '../config/settings-lock.js';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashValue } from '../mcp/definition-hash.js';
import type { Plugin } from './plugin.js';

/** By real path of the plugin. */
const approvalsSchema = z.record(z.string(), z.object({ hash: z.string(), has_guard: z.boolean() }));

/** `guard_lost`: changed, and a hook that may block calls was approved. */
export type Approval = 'approved' | 'changed' | 'guard_lost' | 'missing' | 'unneeded';

/** Approvals of what plugins in the settings run. Any change of a definition needs a new one. */
export class PluginApprovals {
  readonly #configDir: string;

  constructor(configDir: string) {
    this.#configDir = configDir;
  }

  async of(plugin: Plugin): Promise<Approval> {
    const known = (await this.#read())[plugin.folder];
    if (known?.hash === hashOf(plugin)) return 'approved';
    if (known?.has_guard === true) return 'guard_lost';
    if (requestsOf(plugin).length === 0) return 'unneeded';
    return known === undefined ? 'missing' : 'changed';
  }

  async add(plugin: Plugin): Promise<void> {
    await withSettingsLock(this.#configDir, async () => {
      const approval = { hash: hashOf(plugin), has_guard: GUARDS.some((event) => Object.hasOwn(plugin.hooks, event)) };
      const all = { ...(await this.#read()), [plugin.folder]: approval };
      await replaceFile(this.#file, `${JSON.stringify(all, undefined, 2)}\n`);
    });
  }

  async remove(folder: string): Promise<void> {
    await withSettingsLock(this.#configDir, async () => {
      const { [folder]: entry, ...others } = await this.#read();
      if (entry !== undefined) await replaceFile(this.#file, `${JSON.stringify(others, undefined, 2)}\n`);
    });
  }

  get #file(): string {
    return join(this.#configDir, 'plugin-approvals.json');
  }

  async #read(): Promise<z.infer<typeof approvalsSchema>> {
    const text = await readOptionalFile(this.#file);
    try {
      return z.safeParse(approvalsSchema, JSON.parse(text ?? '{}')).data ?? {};
    } catch {
      return {};
    }
  }
}

export function requestsOf({ hooks, servers }: Pick<Plugin, 'hooks' | 'servers'>): readonly string[] {
  return [
    ...Object.entries(hooks).flatMap(([event, groups]) =>
      groups.flatMap((group) => group.hooks.map(({ command }) => `hook ${event}: ${JSON.stringify(command)}`)),
    ),
    ...Object.entries(servers).map(([name, config]) => `MCP server ${name}: ${JSON.stringify(config)}`),
  ];
}

function hashOf({ hooks, servers }: Plugin): string {
  return hashValue({ hooks, servers });
}
