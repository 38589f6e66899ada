import type { PermissionMode } from '@qwen/protocol';

/** Words of Claude Code for modes of ours. */
export type PeerMode = 'acceptEdits' | 'bypassPermissions';

/** The mode that a word of ours or of Claude Code means. */
export function toOwnMode(word: PermissionMode | PeerMode | undefined): PermissionMode | undefined {
  switch (word) {
    case 'acceptEdits':
      return 'auto-edit';
    case 'bypassPermissions':
      return 'yolo';
    default:
      return word;
  }
}
