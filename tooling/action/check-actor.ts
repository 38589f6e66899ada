import type { Inputs } from './inputs.ts';

/** Events that only people with write access, or the repository itself, can cause. */
const OF_WRITERS = new Set(['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'merge_group']);
const API_LIMIT_MS = 30_000;

/** Throws unless the user who caused the event may write to the repository or is in `allowed-users`. */
export async function checkActor(inputs: Inputs, environment: NodeJS.ProcessEnv): Promise<void> {
  const { GITHUB_ACTOR: actor = '', GITHUB_EVENT_NAME: event = '' } = environment;
  const allowed = inputs.get('allowed-users').split(/[\s,]+/);
  if (OF_WRITERS.has(event) || allowed.includes('*') || (actor !== '' && allowed.includes(actor))) return;
  const permission = await permissionOf(actor, inputs.get('github-token'), environment);
  if (permission === 'admin' || permission === 'write') return;
  throw new Error(
    `${actor || 'An unknown user'} caused the event "${event}" and has no write access to the repository. ` +
      'To run qwen for this user too, add the name to the input allowed-users.',
  );
}

async function permissionOf(actor: string, token: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { GITHUB_API_URL: api = 'https://api.github.com', GITHUB_REPOSITORY: repository = '' } = environment;
  const url = `${api}/repos/${repository}/collaborators/${encodeURIComponent(actor)}/permission`;
  const headers = { accept: 'application/vnd.github+json', authorization: `Bearer ${token}` };
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(API_LIMIT_MS) }).catch((cause: unknown) => {
    throw new Error(`GitHub could not be reached at ${api} to look up the access of ${actor}.`, { cause });
  });
  // Apps are no collaborators.
  if (response.status === 404) return 'none';
  if (!response.ok) {
    throw new Error(`GitHub did not return the access of ${actor} (${response.status}). Check the input github-token.`);
  }
  const body: unknown = await response.json();
  return typeof body === 'object' && body !== null && 'permission' in body ? String(body.permission) : 'none';
}
