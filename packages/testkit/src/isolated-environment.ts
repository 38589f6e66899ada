import { join } from 'node:path';

const SHARED_CACHE = join(import.meta.dirname, '../node_modules/.cache');

/** Without shared caches of compiled code, each program under test would compile itself and its libraries again. */
export const COMPILE_CACHES: Readonly<Record<string, string>> = {
  XDG_CACHE_HOME: SHARED_CACHE,
  NODE_COMPILE_CACHE: join(SHARED_CACHE, 'node'),
};

const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SYSTEMROOT', 'COMSPEC', 'PATHEXT'];

/**
 * The environment of a CLI under test: its home inside `home`, no API keys, no user settings, no proxy for loopback.
 * `extra` is merged last.
 */
export function isolatedEnvironment(
  home: string,
  extra: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  return {
    ...environment,
    HOME: home,
    USERPROFILE: home,
    QWEN_HOME: join(home, '.qwen'),
    XDG_CONFIG_HOME: join(home, '.config'),
    ...COMPILE_CACHES,
    NO_PROXY: '127.0.0.1,localhost,::1',
    ...extra,
  };
}
