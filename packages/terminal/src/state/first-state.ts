import type { PermissionMode } from '@qwen/protocol';
import type { TerminalState } from './terminal-state.js';

export function firstState(start: { readonly model: string; readonly permissionMode: PermissionMode }): TerminalState {
  const { model, permissionMode } = start;
  return { model, permissionMode, calls: [], draft: '', todos: [], queued: [] };
}
