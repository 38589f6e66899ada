import { join } from 'node:path';

/** Only for compiled code: without a shared cache, each test would compile the whole program again. */
const SHARED_CACHE = join(import.meta.dirname, '../node_modules/.cache');

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
    XDG_CACHE_HOME: SHARED_CACHE,
    NO_PROXY: '127.0.0.1,localhost,::1',
    ...extra,
  };
}
