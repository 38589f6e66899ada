import { AgentError, escapeHidden } from '@qwen/protocol';
import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../dialogs/dialog.js';
import type { ResponseOf } from '../server/server-client.js';
import type { PageStore } from '../session/page-store.js';

export interface FolderPickerProps {
  readonly page: PageStore;
  /** Where to start; empty for the folder of the server. */
  readonly start: string;
  readonly onChoose: (path: string) => void;
  readonly onClose: () => void;
}

export function FolderPicker({ page, start, onChoose, onClose }: FolderPickerProps) {
  const [path, setPath] = useState(start.trim() === '' ? undefined : start.trim());
  const [listing, setListing] = useState<ResponseOf<'/api/folders'>>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isWanted = true;
    page.listFolders(path).then(
      (found) => {
        if (!isWanted) return;
        setProblem(undefined);
        setListing(found);
      },
      (thrown: unknown) => {
        if (!isWanted) return;
        setProblem(AgentError.from(thrown).message);
        if (listing === undefined && path !== undefined) setPath(undefined);
      },
    );
    return () => {
      isWanted = false;
    };
  }, [path]);
  return (
    <Dialog title="Choose a folder" onClose={onClose}>
      {problem !== undefined && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      {listing !== undefined && <FolderListing listing={listing} onOpen={setPath} onChoose={onChoose} />}
    </Dialog>
  );
}

interface FolderListingProps {
  readonly listing: ResponseOf<'/api/folders'>;
  readonly onOpen: (path: string) => void;
  readonly onChoose: (path: string) => void;
}

function FolderListing({ listing, onOpen, onChoose }: FolderListingProps) {
  const { path, canUse, parent, folders } = listing;
  const separator = path.includes('\\') && !path.includes('/') ? '\\' : '/';
  return (
    <>
      <p class="folder-path">
        <code>{escapeHidden(path)}</code>
      </p>
      <ul class="folders" aria-label="Folders">
        {parent !== undefined && (
          <li>
            <button type="button" class="quiet" onClick={() => onOpen(parent)}>
              ↑ Parent folder
            </button>
          </li>
        )}
        {folders.map((name) => (
          <li key={name}>
            <button
              type="button"
              class="quiet"
              onClick={() => onOpen(path.endsWith(separator) ? path + name : path + separator + name)}
            >
              {escapeHidden(name)}
            </button>
          </li>
        ))}
      </ul>
      {!canUse && <p class="muted">This folder cannot be a workspace. Choose one in it.</p>}
      <button type="button" class="allow" disabled={!canUse} onClick={() => onChoose(path)}>
        Use this folder
      </button>
    </>
  );
}
