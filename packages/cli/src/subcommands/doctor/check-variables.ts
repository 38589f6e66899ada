import { loadSettings } from '@qwen/host/config/load-settings.js';
import type { Check } from './finding.js';

/** Names only. */
export const checkVariables: Check = async ({ cwd, configDir, variables }) => {
  const { withheldVariables } = await import('@qwen/tools');
  const settings = await loadSettings({ configDir, cwd, flags: {} }).catch(() => undefined);
  const names = withheldVariables(variables, new Set(settings?.allowedVariables));
  if (names.length === 0) return [];
  const message = `withheld from commands because they may hold credentials: ${names.join(', ')}`;
  const advice = 'To pass one on, add it to security.allowedEnvironmentVariables in your settings.';
  return [{ area: 'tools', level: 'ok', message, advice }];
};
