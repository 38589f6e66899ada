import { escapeHidden } from '@qwen/protocol';
import { CallDetailView } from '../call/call-detail.js';
import type { FileChanges } from '../call/file-changes.js';
import { Dialog } from './dialog.js';

export interface ChangesDialogProps {
  readonly files: readonly FileChanges[];
  readonly onClose: () => void;
}

/** All changes of a session, by file. */
export function ChangesDialog({ files, onClose }: ChangesDialogProps) {
  return (
    <Dialog title="Changes of this session" onClose={onClose}>
      <p class="muted">What the agent has changed with its tools. Changes by commands are not included.</p>
      {files.map(({ path, changes }) => (
        <details class="changed-file" key={path} open={files.length <= 3}>
          <summary>
            <code>{escapeHidden(path)}</code> <span class="muted">{countOf(changes.length)}</span>
          </summary>
          {changes.map((detail) => (
            <CallDetailView detail={detail} />
          ))}
        </details>
      ))}
    </Dialog>
  );
}

function countOf(changes: number): string {
  return changes === 1 ? '1 change' : `${changes} changes`;
}
