import * as z from 'zod/mini';

/**
 * What runs without asking: `default` asks, `plan` permits read-only work, `auto-edit` also edits inside the
 * workspace, `yolo` everything. Deny rules always apply.
 */
export const PERMISSION_MODES = ['default', 'plan', 'auto-edit', 'yolo'] as const;
export const permissionModeSchema = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof permissionModeSchema>;
