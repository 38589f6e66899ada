import * as z from 'zod/mini';

/**
 * How much the agent may do unasked: `default` asks, `plan` permits read-only work, `auto-edit` lets edits
 * inside the workspace through, `yolo` lets everything through. Deny rules are final in all of them.
 */
export const PERMISSION_MODES = ['default', 'plan', 'auto-edit', 'yolo'] as const;
export const permissionModeSchema = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof permissionModeSchema>;
