import type { Subcommand } from './subcommand.js';

/** Loaded on use. A prompt that starts with such a word needs `-p` or `--`. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<Subcommand>>> = {
  acp: async () => (await import('../acp/run-acp.js')).runAcp,
  auth: async () => (await import('./auth.js')).runAuth,
  trust: async () => (await import('./trust.js')).runTrust,
  sessions: async () => (await import('./sessions.js')).runSessions,
  permissions: async () => (await import('./permissions.js')).runPermissions,
  plugins: async () => (await import('./plugins.js')).runPlugins,
  sandbox: async () => (await import('./sandbox.js')).runSandbox,
  mcp: async () => (await import('./mcp.js')).runMcp,
  doctor: async () => (await import('./doctor.js')).runDoctor,
  completion: async () => (await import('./completion.js')).runCompletion,
  help: async () => (await import('./help.js')).runHelp,
  __complete: async () => (await import('./completion/run-complete.js')).runComplete,
  serve: async () => (await import('./serve.js')).runServe,
};

export const SUBCOMMAND_NAMES: readonly string[] = Object.keys(SUBCOMMANDS)
  .filter((name) => !name.startsWith('_'))
  .toSorted();

export function findSubcommand(words: readonly string[]): (() => Promise<Subcommand>) | undefined {
  const [name = ''] = words;
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
}
