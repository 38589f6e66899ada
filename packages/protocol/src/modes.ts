import * as z from 'zod/mini';

/**
 * What runs without asking: `default` asks, `plan` permits read-only work, `auto-edit` also edits inside the
 * workspace, `yolo` everything. Deny rules always apply.
 *
 * @example
 * import { PERMISSION_MODES, type PermissionMode } from '@qwen/sdk';
 *
 * const wanted = process.argv[2] ?? 'default';
 * const mode: PermissionMode | undefined = PERMISSION_MODES.find((name) => name === wanted);
 * if (mode === undefined) throw new Error(`Unknown mode ${wanted}. Use ${PERMISSION_MODES.join(', ')}.`);
 */
export const PERMISSION_MODES = ['default', 'plan', 'auto-edit', 'yolo'] as const;
export const permissionModeSchema = z.enum(PERMISSION_MODES);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

/** Claude Code's names for `auto-edit` and `yolo`. */
export const CLAUDE_MODES = ['acceptEdits', 'bypassPermissions'] as const;
/** `dontAsk` is `default` without questions. */
export type ClaudeMode = (typeof CLAUDE_MODES)[number] | 'dontAsk';

const OWN_MODES: Readonly<Record<ClaudeMode, PermissionMode>> = {
  acceptEdits: 'auto-edit',
  bypassPermissions: 'yolo',
  dontAsk: 'default',
};

export function isClaudeMode(mode: unknown): mode is ClaudeMode {
  return typeof mode === 'string' && Object.hasOwn(OWN_MODES, mode);
}

/** Returns other values unchanged. */
export function fromClaudeMode<Other>(mode: Other | ClaudeMode): Other | PermissionMode {
  return isClaudeMode(mode) ? OWN_MODES[mode] : mode;
}

/** Undefined if Claude Code has the same name, or none. */
export function toClaudeMode(mode: string): (typeof CLAUDE_MODES)[number] | undefined {
  return CLAUDE_MODES.find((name) => OWN_MODES[name] === mode);
}

export const SANDBOX_MODES = ['read-only', 'workspace-write'] as const;
export type SandboxMode = (typeof SANDBOX_MODES)[number];

/** What a flag or a session may select, strictest first. */
export const SANDBOX_OPTIONS = [...SANDBOX_MODES, 'off'] as const;
export const sandboxOptionSchema = z.enum(SANDBOX_OPTIONS);
export type SandboxOption = (typeof SANDBOX_OPTIONS)[number];

/** `unavailable`: it is selected and does not work. */
export const sandboxStateSchema = z.enum([...SANDBOX_OPTIONS, 'unavailable']);
export type SandboxState = z.infer<typeof sandboxStateSchema>;

export function isLooserSandbox(option: SandboxOption, limit: SandboxOption): boolean {
  return SANDBOX_OPTIONS.indexOf(option) > SANDBOX_OPTIONS.indexOf(limit);
}
