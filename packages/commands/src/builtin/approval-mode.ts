import { PERMISSION_MODES, type PermissionMode } from '@qwen/protocol';
import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import { badUsage } from './command-text.js';
import { startingWith } from './completions.js';

const MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before it changes anything or runs a command',
  plan: 'reads and plans, and changes nothing',
  'auto-edit': 'edits files of the workspace unasked',
  yolo: 'does everything unasked that no rule denies',
};

export const approvalModeCommand: Command = {
  name: 'approval-mode',
  description: 'Shows or changes what the agent may do unasked.',
  kind: 'built-in',
  usage: '[default|plan|auto-edit|yolo]',
  run: async ({ args }, { permissions }) => {
    if (args === '') {
      const lines = PERMISSION_MODES.map((mode) => `  ${mode} - ${MEANINGS[mode]}`);
      return says([`Approval mode: ${permissions.mode}`, ...lines].join('\n'));
    }
    const wanted = args.toLowerCase().replaceAll('_', '-');
    const mode = PERMISSION_MODES.find((one) => one === wanted);
    if (mode === undefined) return badUsage(approvalModeCommand, `There is no approval mode "${args}".`);
    permissions.setMode(mode);
    return says(`Approval mode is now ${mode}: ${MEANINGS[mode]}.`);
  },
  complete: async (partial) =>
    startingWith(
      partial,
      PERMISSION_MODES.map((mode) => ({ value: mode, description: MEANINGS[mode] })),
    ),
};
