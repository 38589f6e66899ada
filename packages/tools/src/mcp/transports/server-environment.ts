/** What a server gets of our environment without asking: enough to find programs, a home and a language (S98, S108). */
const PASSED_ON = new Set([
  'HOME',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'USER',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_CONFIG_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  // Windows
  'APPDATA',
  'LOCALAPPDATA',
  'HOMEDRIVE',
  'HOMEPATH',
  'PATHEXT',
  'PROCESSOR_ARCHITECTURE',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'COMSPEC',
]);

type Variables = Readonly<Record<string, string | undefined>>;

/** The environment of a server: the few names above, then what its configuration says. Nothing else of ours. */
export function serverEnvironment(
  ours: Variables,
  configured: Readonly<Record<string, string>>,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(ours)) {
    // A value that begins like this is a shell function, which a shell below would run.
    if (value !== undefined && PASSED_ON.has(name.toUpperCase()) && !value.startsWith('()')) environment[name] = value;
  }
  return { ...environment, ...configured };
}
