import type { PermissionMode } from '@qwen/protocol';
import type { TerminalState } from './terminal-state.js';

/** What the screen shows before anything was said. */
export function firstState(start: { readonly model: string; readonly permissionMode: PermissionMode }): TerminalState {
  const { model, permissionMode } = start;
  return { model, permissionMode, calls: [], draft: '', todos: [], queued: [] };
}
