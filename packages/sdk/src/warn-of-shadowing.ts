import type { QueryOptions } from './options.js';

/** A callback that can never be asked is nearly always a mistake (B2). */
export function warnOfShadowing({ permissionMode, canUseTool, stderr }: QueryOptions): void {
  if (permissionMode !== 'yolo' || canUseTool === undefined) return;
  const code = 'QWEN_CAN_USE_TOOL_SHADOWED';
  const message = 'canUseTool is never asked, because permissionMode "yolo" lets everything run.';
  try {
    if (stderr === undefined) process.emitWarning(message, { code });
    else stderr(`[qwen sdk] ${code}: ${message}`);
  } catch {
    // A warning that the app cannot take must not keep the query from starting.
  }
}
