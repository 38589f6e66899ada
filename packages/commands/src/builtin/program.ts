import { type Command, isConfirmed } from '../command.js';
import { info } from '../command-outcome.js';
import type { AccountFacts } from '../host/command-host.js';
import { DOCUMENTATION_URL, NEW_ISSUE_URL } from './project-addresses.js';

const about: Command = {
  name: 'about',
  description: 'Shows version, model, account and session.',
  aliases: ['status'],
  kind: 'built-in',
  run: async (_call, { facts, session, permissions }) =>
    info(
      [
        `Qwen Code ${facts.version}`,
        `Platform: ${facts.platform}`,
        `Model: ${session.model}`,
        `Account: ${accountText(facts.account)}`,
        `Approval mode: ${permissions.mode}`,
        `Session: ${session.sessionId}`,
        `Folder: ${facts.cwd}`,
      ].join('\n'),
    ),
};

/** Where model calls go, e.g. `openai at api.example.com, by OPENAI_API_KEY`. */
function accountText({ provider, host, credentialSource }: AccountFacts): string {
  if (provider === undefined) return 'none is configured';
  return [
    provider,
    ...(host === undefined ? [] : [` at ${host}`]),
    ...(credentialSource === undefined ? [] : [`, by ${credentialSource}`]),
  ].join('');
}

const auth: Command = {
  name: 'auth',
  description: 'Changes how model calls are paid for.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'auth',
    content:
      `Account: ${accountText(facts.account)}\n` +
      'To change it, set OPENAI_API_KEY and OPENAI_BASE_URL, DASHSCOPE_API_KEY or GEMINI_API_KEY, and start again.',
  }),
};

/** More does not fit into an address that every browser takes. */
const MAX_TITLE_LENGTH = 200;

const bug: Command = {
  name: 'bug',
  description: 'Gives the address for reporting a fault.',
  kind: 'built-in',
  usage: '[TITLE]',
  run: async ({ args }, { facts, session }) => {
    const address = new URL(NEW_ISSUE_URL);
    if (args !== '') address.searchParams.set('title', [...args].slice(0, MAX_TITLE_LENGTH).join(''));
    const details = `Version: ${facts.version}\nPlatform: ${facts.platform}\nModel: ${session.model}`;
    address.searchParams.set('body', `\n\n${details}`);
    return info(`To report a fault, open\n${address.href}\nIt holds:\n${details}`);
  },
};

const CORGI = String.raw`
   /\_/\
  ( o.o )___
   \_Y_/    \
   (_|_|--|_|`;

/** Its mode lasts as long as the commands that it was made with: a session. */
function corgi(): Command {
  let isOn = false;
  return {
    name: 'corgi',
    description: 'Toggles corgi mode.',
    kind: 'built-in',
    run: async () => {
      isOn = !isOn;
      return info(isOn ? `Corgi mode is on.${CORGI}` : 'Corgi mode is off.');
    },
  };
}

const docs: Command = {
  name: 'docs',
  description: 'Gives the address of the documentation.',
  kind: 'built-in',
  run: async () => info(`The documentation is at ${DOCUMENTATION_URL}`),
};

const privacy: Command = {
  name: 'privacy',
  description: 'Says what leaves this machine.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'privacy',
    content: [
      `What you write, the files and command output that the model reads, and its instructions go to the model.`,
      `Model: ${accountText(facts.account)}`,
      'MCP servers get the arguments of the calls made to them. Nothing is sent anywhere else, and no usage is reported.',
      'Conversations are kept on this machine, in files that only you can read.',
    ].join('\n'),
  }),
};

const quit: Command = {
  name: 'quit',
  description: 'Ends the program.',
  aliases: ['exit'],
  kind: 'built-in',
  run: async (call, { surface, session }) => {
    if (call.confirmationOutcome === 'cancel') return info('Cancelled: the session goes on.');
    if (surface.confirmsQuit && !isConfirmed(call)) return { type: 'quit_confirmation', prompt: 'End the session?' };
    return { type: 'quit', messages: [`Session ${session.sessionId} ended.`] };
  },
};

export function programCommands(): readonly Command[] {
  return [about, auth, bug, corgi(), docs, privacy, quit];
}
