import type { PermissionMode } from '@qwen/protocol';

/**
 * The mode that Shift-Tab goes to. Nobody gets by a slip into the one that asks for nothing: it is among them for who
 * started in it.
 */
export function nextMode(mode: PermissionMode, startMode: PermissionMode): PermissionMode {
  const modes: readonly PermissionMode[] = [
    'default',
    'auto-edit',
    'plan',
    ...(startMode === 'yolo' ? ['yolo' as const] : []),
  ];
  return modes[(modes.indexOf(mode) + 1) % modes.length] ?? 'default';
}
