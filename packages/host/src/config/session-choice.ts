import { AgentError } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';

/** The session of a run. `sessionId` is the id on the wire. */
export type SessionChoice =
  | { readonly kind: 'new'; readonly sessionId: string }
  | { readonly kind: 'resume'; readonly sessionId: string }
  | {
      readonly kind: 'fork';
      readonly sessionId: string;
      readonly source: string;
      readonly upToMessageId?: string;
    }
  /** Reported with the first prompt, so that a program gets a typed error. */
  | { readonly kind: 'unavailable'; readonly sessionId: string; readonly error: AgentError };

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type SessionFlags = Pick<Flags, 'sessionId' | 'resume' | 'continue' | 'forkSession' | 'resumeSessionAt'>;

/** `latest` is only called for `--continue`. Throws `usage` for invalid ids and contradicting flags. */
export async function chooseSession(
  flags: SessionFlags,
  latest: () => Promise<string | undefined>,
): Promise<SessionChoice> {
  const { sessionId, resume, resumeSessionAt: upToMessageId } = flags;
  // Session files are append-only: returning to an earlier message forks the session.
  const forkSession = flags.forkSession === true || upToMessageId !== undefined;
  checkId('session-id', sessionId);
  checkId('resume', resume);
  const resumes = resume !== undefined || flags.continue === true;
  if (forkSession && !resumes) {
    throw new AgentError('usage', '--fork-session and --resume-session-at need --resume or --continue');
  }
  if (resumes && !forkSession && sessionId !== undefined && sessionId !== resume) {
    throw new AgentError('usage', '--session-id names a new session; with --resume or --continue add --fork-session');
  }
  const newId = sessionId ?? crypto.randomUUID();
  if (!resumes) return { kind: 'new', sessionId: newId };
  const source = resume ?? (await findLatest(latest));
  if (AgentError.is(source)) return { kind: 'unavailable', sessionId: newId, error: source };
  if (!forkSession) return { kind: 'resume', sessionId: source };
  return { kind: 'fork', sessionId: newId, source, ...(upToMessageId !== undefined && { upToMessageId }) };
}

async function findLatest(latest: () => Promise<string | undefined>): Promise<string | AgentError> {
  try {
    return (await latest()) ?? new AgentError('session_not_found', 'This folder has no session to continue.');
  } catch (thrown) {
    return AgentError.from(thrown, 'storage_unwritable');
  }
}

function checkId(flag: string, id: string | undefined): void {
  if (id === undefined || UUID.test(id)) return;
  const hint = flag === 'resume' ? 'a complete session ID; see qwen sessions list' : 'a UUID';
  const given = id === '' ? '' : ` (given: "${id}")`;
  throw new AgentError('usage', `--${flag} needs ${hint}${given}`);
}
