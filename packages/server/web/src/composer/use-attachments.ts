import { useState } from 'preact/hooks';
import { type AttachedFiles, type Attachment, attachFiles, readAttachment } from './attachments.js';

export interface Attachments extends AttachedFiles {
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (attachment: Attachment) => void;
  readonly clear: () => void;
}

const NONE: AttachedFiles = { list: [], problem: undefined };

export function useAttachments(): Attachments {
  const [attached, setAttached] = useState(NONE);
  return {
    ...attached,
    add: async (files) => {
      const read = await Promise.allSettled(files.map(readAttachment));
      setAttached(({ list }) => attachFiles(list, read));
    },
    remove: (attachment) =>
      setAttached(({ list, problem }) => ({ list: list.filter((each) => each !== attachment), problem })),
    clear: () => setAttached(NONE),
  };
}
