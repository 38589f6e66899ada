import { loadSettings } from '@qwen/host/config/load-settings.js';
import { findSettingsFiles } from '@qwen/host/config/settings-files.js';
import { readLayers } from '@qwen/host/config/settings-layers.js';
import { AgentError } from '@qwen/protocol';
import type { Check } from './finding.js';

export const checkTrust: Check = async ({ configDir, cwd }) => {
  const sources = { configDir, cwd, flags: {} };
  try {
    const found = findSettingsFiles(sources);
    const { trust, projectFolder } = await readLayers(found, sources);
    const { notices } = await loadSettings(sources);
    const untrusted = notices.find(({ code }) => code === 'untrusted_folder');
    const others = notices.filter(({ code }) => code !== 'untrusted_folder' && code !== 'unknown_setting');
    const bringsNothing = found.projectFiles.length === 0 && found.agentFolder === undefined;
    const trustState = trust === 'trusted' ? 'is trusted' : 'is not trusted, but contains nothing that needs trust';
    const state = bringsNothing ? 'contains no settings or agents' : trustState;
    return [
      untrusted === undefined
        ? { area: 'trust', level: 'ok', message: `${projectFolder} ${state}` }
        : { area: 'trust', level: 'warning', message: untrusted.message },
      ...others.map(({ message }) => ({ area: 'settings', level: 'warning', message }) as const),
    ];
  } catch (thrown) {
    const error = AgentError.from(thrown);
    // Settings errors have their own check.
    const isReported = findSettingsFiles(sources).files.some(({ path }) => path === error.data['path']);
    return isReported ? [] : [{ area: 'trust', level: 'error', message: error.message, advice: 'Fix the file.' }];
  }
};
