import { useEffect, useState } from 'preact/hooks';
import type { PageStore, ShareLink } from '../session/page-store.js';
import { CopyButton } from '../transcript/copy-button.js';
import { Dialog } from './dialog.js';

export interface ShareDialogProps {
  readonly page: PageStore;
  readonly sessionId: string;
  readonly onClose: () => void;
}

const LIFETIMES = [
  [24, '1 day'],
  [7 * 24, '1 week'],
  [30 * 24, '30 days'],
] as const;

/** Creates and revokes links with which others can read the session. */
export function ShareDialog({ page, sessionId, onClose }: ShareDialogProps) {
  const [links, setLinks] = useState<readonly ShareLink[]>([]);
  const [lifetime, setLifetime] = useState<number>(LIFETIMES[1][0]);
  const reload = () => void page.links(sessionId).then(setLinks, () => onClose());
  useEffect(reload, [sessionId]);
  const after = (action: Promise<boolean>) => void action.then(reload);
  return (
    <Dialog title="Share" onClose={onClose}>
      <p class="muted">Anyone with a link can read this session, and nothing else, until it expires or is revoked.</p>
      {links.length > 0 && (
        <ul class="share-links" aria-label="Links">
          {links.map((link) => (
            <li key={link.id}>
              <span>Expires {new Date(link.expiresAt).toLocaleString()}</span>
              <CopyButton text={() => addressOf(link)} label="Copy the link" />
              <button type="button" class="quiet" onClick={() => after(page.revokeLink(sessionId, link.id))}>
                Revoke
              </button>
            </li>
          ))}
        </ul>
      )}
      <form
        class="share-new"
        onSubmit={(event) => {
          event.preventDefault();
          after(page.createLink(sessionId, lifetime));
        }}
      >
        <label>
          <span>Valid for</span>
          <select value={lifetime} onChange={({ currentTarget }) => setLifetime(Number(currentTarget.value))}>
            {LIFETIMES.map(([hours, label]) => (
              <option value={hours}>{label}</option>
            ))}
          </select>
        </label>
        <button type="submit" class="send">
          Create link
        </button>
      </form>
    </Dialog>
  );
}

/** The ticket is in the fragment, which browsers do not send. */
function addressOf({ ticket }: ShareLink): string {
  return new URL(`#share=${ticket}`, document.baseURI).href;
}
