import { PERMISSION_MODES, type PermissionMode } from '@qwen/protocol';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import type { SessionControls } from '../host/session-controls.js';
import { badUsage, list, startingWith } from './command-parts.js';

const MODE_MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: 'asks before it changes anything or runs a command',
  plan: 'reads and plans, and changes nothing',
  'auto-edit': 'edits files of the workspace unasked',
  yolo: 'does everything unasked that no rule denies',
};

const approvalMode: Command = {
  name: 'approval-mode',
  description: 'Shows or changes what the agent may do unasked.',
  kind: 'built-in',
  usage: '[default|plan|auto-edit|yolo]',
  run: async ({ args }, { permissions }) => {
    if (args === '') {
      const lines = PERMISSION_MODES.map((mode) => `  ${mode} - ${MODE_MEANINGS[mode]}`);
      return info([`Approval mode: ${permissions.mode}`, ...lines].join('\n'));
    }
    const wanted = args.toLowerCase().replaceAll('_', '-');
    const mode = PERMISSION_MODES.find((one) => one === wanted);
    if (mode === undefined) return badUsage(approvalMode, `There is no approval mode "${args}".`);
    permissions.setMode(mode);
    return info(`Approval mode is now ${mode}: ${MODE_MEANINGS[mode]}.`);
  },
  complete: async (partial) =>
    startingWith(
      partial,
      PERMISSION_MODES.map((mode) => ({ value: mode, description: MODE_MEANINGS[mode] })),
    ),
};

const editorCommand: Command = {
  name: 'editor',
  description: 'Chooses the editor for changes.',
  kind: 'built-in',
  run: async (_call, { facts: { editor } }) => ({
    type: 'dialog',
    dialog: 'editor',
    content: `Editor: ${editor ?? 'none is named'}\nTo change it, set VISUAL or EDITOR and start again.`,
  }),
};

const hooksCommand: Command = {
  name: 'hooks',
  description: 'Lists the hooks that are set up.',
  kind: 'built-in',
  run: async (_call, { hooks }) => {
    const lines = (await hooks.list()).map(
      ({ event, matcher, action }) => `${event}${matcher === undefined ? '' : ` (${matcher})`}: ${action}`,
    );
    return info(list('Hooks:', lines, 'There are no hooks.'));
  },
};

const model: Command = {
  name: 'model',
  description: 'Shows or changes the model.',
  kind: 'built-in',
  usage: '[NAME]',
  run: async ({ args }, { session }) => {
    if (args === '') return { type: 'dialog', dialog: 'model', content: await modelText(session) };
    return info(`The model is now ${await session.setModel(args)}.`);
  },
  complete: async (partial, { host }) => startingWith(partial, (await host.session.models()).names),
};

/** The list takes a request, and is only an extra: without it the answer still tells what was asked. */
async function modelText(session: SessionControls): Promise<string> {
  const { names, reason } = await session.models();
  const others = names.filter((name) => name !== session.model);
  return [
    `Model: ${session.model}`,
    ...(others.length === 0 ? [] : ['Others:', ...others.map((name) => `  ${name}`)]),
    ...(reason === undefined ? [] : [reason]),
  ].join('\n');
}

const RULE_HEADINGS = [
  ['deny', 'Never:'],
  ['ask', 'Asked about:'],
  ['allow', 'Unasked:'],
] as const;

const permissionsCommand: Command = {
  name: 'permissions',
  description: 'Lists the permission rules in force.',
  kind: 'built-in',
  run: async (_call, { permissions }) => {
    const rules = await permissions.rules();
    const parts = RULE_HEADINGS.map(([behavior, heading]) => {
      const texts = rules.filter((rule) => rule.behavior === behavior).map(({ rule }) => rule);
      return list(heading, texts, '');
    }).filter((part) => part !== '');
    const body = parts.length === 0 ? ['There are no permission rules.'] : parts;
    return info([`Approval mode: ${permissions.mode}`, ...body].join('\n'));
  },
};

const settings: Command = {
  name: 'settings',
  description: 'Shows and changes settings.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'settings',
    content: list('Settings files, the strongest last:', facts.settingsFiles, 'There are no settings files.'),
  }),
};

const theme: Command = {
  name: 'theme',
  description: 'Chooses the colours.',
  kind: 'built-in',
  run: async () => ({
    type: 'dialog',
    dialog: 'theme',
    content: 'Colours are those of your terminal. NO_COLOR=1 leaves them out.',
  }),
};

export const settingsCommands: readonly Command[] = [
  approvalMode,
  editorCommand,
  hooksCommand,
  model,
  permissionsCommand,
  settings,
  theme,
];
