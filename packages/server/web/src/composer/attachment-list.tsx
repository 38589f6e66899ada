import { escapeHidden } from '@qwen/protocol';
import type { Attachments } from './use-attachments.js';

export function AttachmentList({ attachments }: { readonly attachments: Attachments }) {
  const { list, problem, remove } = attachments;
  return (
    <>
      {list.length > 0 && (
        <ul class="attachments" aria-label="Attachments">
          {list.map((attachment) => (
            <li>
              {attachment.type === 'image' && (
                <img src={`data:${attachment.mediaType};base64,${attachment.data}`} alt="" />
              )}
              <span>{escapeHidden(attachment.label)}</span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove ${attachment.label}`}
                onClick={() => remove(attachment)}
              >
                ✕
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem !== undefined && (
        <p class="error attachment-problem" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
