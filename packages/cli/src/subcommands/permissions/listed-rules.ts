import { readText, withoutMark } from '@qwen/host/config/settings-file.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import { readLayers } from '@qwen/host/config/settings-layers.js';
import { findPlace } from '@qwen/host/config/settings-text.js';
import { BEHAVIORS } from './spec.js';

export interface ListedRule {
  readonly behavior: (typeof BEHAVIORS)[number];
  readonly rule: string;
  readonly scope: 'user' | 'project' | 'local';
  readonly path: string;
  readonly line: number;
  /** False for an allow rule of an untrusted project. */
  readonly counts: boolean;
}

interface Sources {
  readonly configDir: string;
  readonly cwd: string;
}

/** Lowest precedence first. Rejects with `invalid_settings`. */
export async function listRules({ configDir, cwd }: Sources): Promise<readonly ListedRule[]> {
  const sources = { configDir, cwd, flags: {} };
  const { layers } = await readLayers(findSettingsFiles(sources), sources);
  return layers.flatMap(({ origin, path, settings, trusted }) => {
    if (origin === 'flag') return [];
    const text = withoutMark(readText(path));
    return BEHAVIORS.flatMap((behavior) =>
      (settings.permissions?.[behavior] ?? []).map((rule, index) => ({
        behavior,
        rule,
        scope: origin,
        path,
        line: findPlace(text, ['permissions', behavior, index])?.line ?? 1,
        counts: trusted || behavior !== 'allow',
      })),
    );
  });
}
