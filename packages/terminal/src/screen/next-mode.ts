import type { PermissionMode } from '@qwen/protocol';

/** Reaches the mode without prompts only if the session started in it, so that it cannot be chosen by mistake. */
export function nextMode(mode: PermissionMode, startMode: PermissionMode): PermissionMode {
  const modes: readonly PermissionMode[] = [
    'default',
    'auto-edit',
    'plan',
    ...(startMode === 'yolo' ? ['yolo' as const] : []),
  ];
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'default';
}
