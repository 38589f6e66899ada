import { EFFORTS, type Effort, isEffort, type PermissionMode } from '@qwen/protocol';

export const MODE_CHOICES: readonly (readonly [PermissionMode, string])[] = [
  ['default', 'Ask before edits and commands'],
  ['plan', 'Plan mode: no changes'],
  ['auto-edit', 'Auto-accept edits'],
  ['yolo', 'Allow everything without asking'],
];

export function modeOf(value: string): PermissionMode | undefined {
  return MODE_CHOICES.find(([mode]) => mode === value)?.[0];
}

export const EFFORT_CHOICES: readonly Effort[] = EFFORTS;

/** Null for the default. */
export function effortOf(value: string): Effort | null {
  return isEffort(value) ? value : null;
}
