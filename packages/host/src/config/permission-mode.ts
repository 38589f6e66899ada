import type { PermissionMode } from '@qwen/protocol';

/** Claude Code's names for two of our modes. */
export type ClaudeMode = 'acceptEdits' | 'bypassPermissions';

export function toOwnMode(word: PermissionMode | ClaudeMode | undefined): PermissionMode | undefined {
  switch (word) {
    case 'acceptEdits':
      return 'auto-edit';
    case 'bypassPermissions':
      return 'yolo';
    default:
      return word;
  }
}
