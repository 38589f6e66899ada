import { useState } from 'preact/hooks';
import { type Attachment, MAX_ATTACHED_BYTES, readAttachment, sizeOf } from './attachments.js';

export interface Attachments {
  readonly list: readonly Attachment[];
  /** Of the last files that could not be attached. */
  readonly problem: string | undefined;
  readonly add: (files: readonly File[]) => Promise<void>;
  readonly remove: (attachment: Attachment) => void;
  readonly clear: () => void;
}

export function useAttachments(): Attachments {
  const [list, setList] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();
  return {
    list,
    problem,
    add: async (files) => {
      const read = await Promise.allSettled(files.map(readAttachment));
      const fresh = read.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
      const failures = read.flatMap((each) => (each.status === 'rejected' ? [String(each.reason.message)] : []));
      setList((before) => {
        const together = [...before, ...fresh].slice(0, 20);
        const bytes = together.reduce((sum, attachment) => sum + sizeOf(attachment), 0);
        if (bytes <= MAX_ATTACHED_BYTES * (4 / 3)) return together;
        setProblem('The attachments are larger than 6 MB together.');
        return before;
      });
      setProblem(failures.length === 0 ? undefined : failures.join(' '));
    },
    remove: (attachment) => setList((before) => before.filter((each) => each !== attachment)),
    clear: () => {
      setList([]);
      setProblem(undefined);
    },
  };
}
