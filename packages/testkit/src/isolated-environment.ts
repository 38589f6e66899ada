import { join } from 'node:path';

/** What a program needs to start at all; everything else of ours stays outside. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'SYSTEMROOT', 'COMSPEC', 'PATHEXT'];

/**
 * The environment for a CLI under test: its own home inside of `home`, no API keys, no settings of the person who
 * runs the tests, and proxies bypassed for loopback. `extra` is laid on top, e.g. the `env` of a scripted model.
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
    XDG_CACHE_HOME: join(home, '.cache'),
    NO_PROXY: '127.0.0.1,localhost,::1',
    ...extra,
  };
}
