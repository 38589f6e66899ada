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

const UNSUPPORTED_FLAGS: Readonly<Record<string, UnsupportedFlag>> = {
  ...flags('refuse', false, ['worktree', 'insecure', 'no-session-persistence']),
  ...flags('refuse', true, [
    'extensions',
    'openai-api-key',
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
