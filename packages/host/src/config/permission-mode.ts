import type { PermissionMode } from '@qwen/protocol';

/** Claude Code's names for our modes; in `dontAsk` no one is asked. */
export type ClaudeMode = 'acceptEdits' | 'bypassPermissions' | 'dontAsk';

export function toOwnMode(word: PermissionMode | ClaudeMode | undefined): PermissionMode | undefined {
  switch (word) {
    case 'acceptEdits':
      return 'auto-edit';
    case 'bypassPermissions':
      return 'yolo';
    case 'dontAsk':
      return 'default';
    default:
      return word;
  }
}
