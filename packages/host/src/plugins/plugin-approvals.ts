import { join } from 'node:path';
import * as z from 'zod/mini';
import { withSettingsLock } from '../config/settings-lock.js';
import { readOptionalFile, replaceFile } from '../files/private-file.js';
import { hashValue } from '../mcp/definition-hash.js';
import type { Plugin } from './plugin.js';

const approvalsSchema = z.record(z.string(), z.string());

export type Approval = 'approved' | 'changed' | 'missing' | 'unneeded';

/** Approvals of what plugins in the settings run. Any change of a definition needs a new one. */
export class PluginApprovals {
  readonly #configDir: string;

  constructor(configDir: string) {
    this.#configDir = configDir;
  }

  async of(plugin: Plugin): Promise<Approval> {
    if (requestsOf(plugin).length === 0) return 'unneeded';
    const known = (await this.#read())[plugin.folder];
    if (known === undefined) return 'missing';
    return known === hashOf(plugin) ? 'approved' : 'changed';
  }

  async add(plugin: Plugin): Promise<void> {
    await withSettingsLock(this.#configDir, async () => {
      const all = { ...(await this.#read()), [plugin.folder]: hashOf(plugin) };
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
