/** A flag that peers have and that has no effect here. */
export interface PeerFlag {
  /**
   * `refuse`: losing it silently would change what is safe, what it costs or what comes out. `note`: something small
   * is lost, so stderr says it. `accept`: it asks for what holds here anyway.
   */
  readonly handling: 'refuse' | 'note' | 'accept';
  readonly takesValue: boolean;
}

type Handling = PeerFlag['handling'];

function flags(handling: Handling, takesValue: boolean, names: readonly string[]): Record<string, PeerFlag> {
  return Object.fromEntries(names.map((name) => [name, { handling, takesValue }]));
}

/** The flags of FEATURES D1, D8 and D9 that this version knows by name only. */
const PEER_FLAGS: Readonly<Record<string, PeerFlag>> = {
  ...flags('refuse', false, ['sandbox', 'worktree', 'insecure', 'no-session-persistence']),
  ...flags('refuse', true, [
    'proxy',
    'extensions',
    'openai-api-key',
    'plugin-dir',
    'max-budget-usd',
    'task-budget',
    'resume-drops-turn',
    'session-mirror',
    'system-prompt-file',
    'debug-file',
  ]),
  ...flags('note', true, ['betas', 'thinking', 'thinking-display', 'max-thinking-tokens']),
  ...flags('accept', false, ['verbose', 'await-initialize', 'allow-dangerously-skip-permissions']),
  ...flags('accept', true, ['max-subagent-depth', 'project-config-root', 'disabled-slash-commands']),
};

export function findPeerFlag(name: string): PeerFlag | undefined {
  return Object.hasOwn(PEER_FLAGS, name) ? PEER_FLAGS[name] : undefined;
}

/** Values that switch a limit off: then a limit that we do not know cannot be lost. */
export const NO_LIMIT = '-1';
