import { AgentError, fromClaudeMode, type PermissionMode } from '@qwen/protocol';
import type { Flags } from '../flags/args.js';

/** Default: ask, also under an SDK. Contradicting flags are rejected. */
export function choosePermissionMode({ yolo, approvalMode, permissionMode }: Flags): PermissionMode | undefined {
  const words: readonly (PermissionMode | undefined)[] = [
    yolo === true ? 'yolo' : undefined,
    approvalMode,
    fromClaudeMode(permissionMode),
  ];
  const said = words.filter((mode) => mode !== undefined);
  const [mode, ...others] = said;
  if (others.some((other) => other !== mode)) {
    throw new AgentError(
      'usage',
      '--approval-mode, --permission-mode and --yolo contradict each other. Pass one of them.',
    );
  }
  return mode;
}
