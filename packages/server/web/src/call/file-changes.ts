import { type Conversation, toCallKey } from '../conversation/conversation.js';
import { type CallDetail, describeCall } from './describe-call.js';

export interface FileChanges {
  readonly path: string;
  /** In order. */
  readonly changes: readonly Extract<CallDetail, { readonly kind: 'edit' | 'write' }>[];
}

/** What the tools have changed in files, subagents included; not what commands have changed. */
export function changedFiles({ entries, calls }: Conversation): readonly FileChanges[] {
  const files = new Map<string, FileChanges['changes']>();
  for (const entry of entries) {
    if (entry.kind !== 'answer') continue;
    for (const block of entry.blocks) {
      if (block.type !== 'tool') continue;
      const result = calls.get(toCallKey(entry.turnId, block.toolUseId))?.result;
      const { detail } = describeCall(block.name, block.input);
      if (result === undefined || result.isError || (detail.kind !== 'edit' && detail.kind !== 'write')) continue;
      files.set(detail.path, [...(files.get(detail.path) ?? []), detail]);
    }
  }
  return [...files].map(([path, changes]) => ({ path, changes }));
}
