import type { FileRewind } from '@qwen/agent';

export interface PastPrompt {
  readonly messageId: string;
  /** Without the content of referenced files. */
  readonly text: string;
  readonly sentAtMs: number;
}

export type RewindPart = 'files' | 'conversation' | 'both';

export interface Rewound {
  /** What happened to the files. Undefined for the conversation alone, and if no files are kept. */
  readonly files?: FileRewind | undefined;
  /** The text of the message. Undefined for the files alone. */
  readonly prompt?: string;
}

/** Going back to an earlier prompt. All reject with `message_not_found`, and `session_busy` while a turn runs. */
export interface RewindControls {
  /** The prompts of the conversation in order, those that were rewound left out. */
  prompts(): Promise<readonly PastPrompt[]>;
  /** What would happen to the files. Undefined if no files are kept. */
  preview(messageId: string): Promise<FileRewind | undefined>;
  rewind(messageId: string, part: RewindPart): Promise<Rewound>;
}
