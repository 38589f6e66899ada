export interface UnsupportedFlag {
  /**
   * `refuse`: ignoring it would change safety, cost or output. `note`: a small loss, reported on stderr. `accept`:
   * already the behaviour here.
   */
  readonly handling: 'refuse' | 'note' | 'accept';
  readonly takesValue: boolean;
}

type Handling = UnsupportedFlag['handling'];

function flags(handling: Handling, takesValue: boolean, names: readonly string[]): Record<string, UnsupportedFlag> {
  return Object.fromEntries(names.map((name) => [name, { handling, takesValue }]));
}

<<<<<<< HEAD:packages/host/src/flags/unsupported-flags.ts
const UNSUPPORTED_FLAGS: Readonly<Record<string, UnsupportedFlag>> = {
  ...flags('refuse', false, ['sandbox', 'worktree', 'insecure', 'no-session-persistence']),
=======
/** Flags of qwen-code and Claude Code that are known by name only. */
const PEER_FLAGS: Readonly<Record<string, PeerFlag>> = {
  ...flags('refuse', false, ['worktree', 'insecure', 'no-session-persistence']),
>>>>>>> d39d35b3 (feat(tools): run commands in a sandbox of bubblewrap):packages/host/src/flags/peer-flags.ts
  ...flags('refuse', true, [
    'extensions',
    'openai-api-key',
    'plugin-dir',
    'task-budget',
    'resume-drops-turn',
    'session-mirror',
    'system-prompt-file',
    'debug-file',
  ]),
  ...flags('note', true, ['betas', 'thinking', 'thinking-display', 'max-thinking-tokens']),
  ...flags('accept', false, ['verbose', 'await-initialize', 'allow-dangerously-skip-permissions']),
  ...flags('accept', true, ['max-subagent-depth', 'project-config-root']),
};

export function findUnsupportedFlag(name: string): UnsupportedFlag | undefined {
  return Object.hasOwn(UNSUPPORTED_FLAGS, name) ? UNSUPPORTED_FLAGS[name] : undefined;
}

/** Switches a limit off, so nothing is lost by ignoring the flag. */
export const NO_LIMIT = '-1';
