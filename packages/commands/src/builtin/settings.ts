import { nearestName, PERMISSION_MODES, type PermissionMode } from '@qwen/protocol';
import type { Command } from '../command.js';
import { info } from '../command-outcome.js';
import type { SessionControls } from '../host/session-controls.js';
import { badUsage, list, startingWith } from './command-parts.js';

const MODE_MEANINGS: Readonly<Record<PermissionMode, string>> = {
  default: 'ask before edits and commands',
  plan: 'read and plan, change nothing',
  'auto-edit': 'auto-accept file edits in the workspace',
  yolo: 'run everything without asking, except what a rule denies',
};

const approvalMode: Command = {
  name: 'approval-mode',
  description: 'Show or change the approval mode.',
  kind: 'built-in',
  usage: '[default|plan|auto-edit|yolo]',
  run: async ({ args }, { permissions }) => {
    if (args === '') {
      const lines = PERMISSION_MODES.map((mode) => `  ${mode} - ${MODE_MEANINGS[mode]}`);
      return info([`Approval mode: ${permissions.mode}`, ...lines].join('\n'));
    }
    const wanted = args.toLowerCase().replaceAll('_', '-');
    const mode = PERMISSION_MODES.find((one) => one === wanted);
    if (mode === undefined) return badUsage(approvalMode, `Unknown approval mode "${args}".`);
    permissions.setMode(mode);
    return info(`Approval mode set to ${mode}: ${MODE_MEANINGS[mode]}.`);
  },
  complete: async (partial) =>
    startingWith(
      partial,
      PERMISSION_MODES.map((mode) => ({ value: mode, description: MODE_MEANINGS[mode] })),
    ),
};

const plan: Command = {
  name: 'plan',
  description: 'Switch to plan mode, and plan a task.',
  kind: 'built-in',
  usage: '[TASK]',
  run: async ({ args }, { permissions }) => {
    permissions.setMode('plan');
    if (args !== '') return { type: 'submit_prompt', content: args };
    return info(`Approval mode set to plan: ${MODE_MEANINGS.plan}.`);
  },
};

const editorCommand: Command = {
  name: 'editor',
  description: 'Choose the editor.',
  kind: 'built-in',
  forTerminal: true,
  run: async (_call, { facts: { editor } }) => ({
    type: 'dialog',
    dialog: 'editor',
    content: `Editor: ${editor ?? 'not set'}\nTo change it, set ui.editor in your settings, or VISUAL or EDITOR, then restart.`,
  }),
};

const hooksCommand: Command = {
  name: 'hooks',
  description: 'List the configured hooks.',
  kind: 'built-in',
  run: async (_call, { hooks }) => {
    const lines = (await hooks.list()).map(
      ({ event, matcher, action }) => `${event}${matcher === undefined ? '' : ` (${matcher})`}: ${action}`,
    );
    return info(list('Hooks:', lines, 'There are no hooks configured.'));
  },
};

const model: Command = {
  name: 'model',
  description: 'Show or change the model.',
  kind: 'built-in',
  usage: '[NAME]',
  run: async ({ args }, { session }) => {
    if (args === '') return { type: 'dialog', dialog: 'model', content: await modelText(session) };
    const name = await session.setModel(args);
    return info(`Model set to ${name}.${await doubtOf(name, session)}`);
  },
  complete: async (partial, { host }) => startingWith(partial, (await host.session.models()).names),
};

/** A provider may accept models that it does not list. */
async function doubtOf(name: string, session: SessionControls): Promise<string> {
  const { names } = await session.models();
  if (names.length === 0 || names.includes(name)) return '';
  const near = nearestName(name, names);
  return ` The provider does not list it.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

/** If listing fails, the reason is shown below the current model. */
async function modelText(session: SessionControls): Promise<string> {
  const { names, reason } = await session.models();
  const others = names.filter((name) => name !== session.model);
  return [
    `Model: ${session.model}`,
    ...(others.length === 0 ? [] : ['Other models:', ...others.map((name) => `  ${name}`)]),
    ...(reason === undefined ? [] : [reason]),
  ].join('\n');
}

const RULE_HEADINGS = [
  ['deny', 'Deny:'],
  ['ask', 'Ask:'],
  ['allow', 'Allow:'],
] as const;

const permissionsCommand: Command = {
  name: 'permissions',
  description: 'List the permission rules in effect.',
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
  description: 'View and edit settings.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'settings',
    content: list('Settings files (later ones take precedence):', facts.settingsFiles, 'There are no settings files.'),
  }),
};

const theme: Command = {
  name: 'theme',
  description: 'Change the color theme.',
  kind: 'built-in',
  forTerminal: true,
  run: async () => ({
    type: 'dialog',
    dialog: 'theme',
    content: 'qwen uses the colors of your terminal. Set NO_COLOR=1 to turn them off.',
  }),
};

const vim: Command = {
  name: 'vim',
  description: 'Turn vi key bindings on or off.',
  kind: 'built-in',
  forTerminal: true,
  run: async () => info('Vi key bindings work only in the terminal UI. Start qwen without a prompt and type /vim.'),
};

export const settingsCommands: readonly Command[] = [
  approvalMode,
  editorCommand,
  hooksCommand,
  model,
  permissionsCommand,
  plan,
  settings,
  theme,
  vim,
];
