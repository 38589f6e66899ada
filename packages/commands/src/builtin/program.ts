import { type Command, isConfirmed } from '../command.js';
import { info } from '../command-outcome.js';
import type { AccountInfo } from '../host/command-host.js';

const about: Command = {
  name: 'about',
  description: 'Show version, model, account and session.',
  aliases: ['status'],
  kind: 'built-in',
  run: async (_call, { facts, session, permissions }) =>
    info(
      [
        `qwen ${facts.version}`,
        `Platform: ${facts.platform}`,
        `Model: ${session.model}`,
        `Account: ${accountText(facts.account)}`,
        `Approval mode: ${permissions.mode}`,
        `Session: ${session.sessionId}`,
        `Folder: ${facts.cwd}`,
      ].join('\n'),
    ),
};

/** For example `openai at api.example.com (credentials: OPENAI_API_KEY)`. */
function accountText({ provider, host, credentialSource }: AccountInfo): string {
  if (provider === undefined) return 'not configured';
  return [
    provider,
    ...(host === undefined ? [] : [` at ${host}`]),
    ...(credentialSource === undefined ? [] : [` (credentials: ${credentialSource})`]),
  ].join('');
}

const auth: Command = {
  name: 'auth',
  description: 'Configure authentication.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'auth',
    content:
      `Account: ${accountText(facts.account)}\n` +
      'To change it, run "qwen auth login", or set OPENAI_API_KEY (and OPENAI_BASE_URL), DASHSCOPE_API_KEY, ' +
      'GEMINI_API_KEY or ANTHROPIC_API_KEY, then restart.',
  }),
};

/** Keeps the URL short enough for every browser. */
const MAX_TITLE_LENGTH = 200;

const bug: Command = {
  name: 'bug',
  description: 'Report a bug.',
  kind: 'built-in',
  usage: '[TITLE]',
  run: async ({ args }, { facts, session }) => {
    const url = new URL(`${facts.issuesUrl}/new`);
    if (args !== '') url.searchParams.set('title', [...args].slice(0, MAX_TITLE_LENGTH).join(''));
    const details = `Version: ${facts.version}\nPlatform: ${facts.platform}\nModel: ${session.model}`;
    url.searchParams.set('body', `\n\n${details}`);
    return info(`To report a bug, open\n${url.href}\nThe report includes:\n${details}`);
  },
};

const CORGI = String.raw`
   /\_/\
  ( o.o )___
   \_Y_/    \
   (_|_|--|_|`;

/** The mode lasts as long as the command object: one session. */
function corgi(): Command {
  let isOn = false;
  return {
    name: 'corgi',
    description: 'Toggles corgi mode.',
    kind: 'built-in',
    forTerminal: true,
    run: async () => {
      isOn = !isOn;
      return info(isOn ? `Corgi mode is on.${CORGI}` : 'Corgi mode is off.');
    },
  };
}

const docs: Command = {
  name: 'docs',
  description: 'Show the link to the documentation.',
  kind: 'built-in',
  run: async (_call, { facts }) => info(`Documentation: ${facts.homepage}`),
};

const privacy: Command = {
  name: 'privacy',
  description: 'Show which data leaves this machine.',
  kind: 'built-in',
  run: async (_call, { facts }) => ({
    type: 'dialog',
    dialog: 'privacy',
    content: [
      'Your prompts, the files and command output that the model reads, and its instructions are sent to the model.',
      `Model: ${accountText(facts.account)}`,
      'MCP servers receive the arguments of calls to them. Web requests go to the site, searches to the search provider.',
      'Telemetry is sent only if you enable it. qwen reports no usage.',
      'Conversations are stored on this machine, in files that only you can read.',
    ].join('\n'),
  }),
};

const quit: Command = {
  name: 'quit',
  description: 'Exit the program.',
  aliases: ['exit'],
  kind: 'built-in',
  forTerminal: true,
  run: async (call, { surface, session }) => {
    if (call.confirmationOutcome === 'cancel') return info('Cancelled. The session continues.');
    if (surface.confirmsQuit && !isConfirmed(call)) return { type: 'quit_confirmation', prompt: 'End the session?' };
    return { type: 'quit', messages: [`Session ${session.sessionId} ended.`] };
  },
};

export function programCommands(): readonly Command[] {
  return [about, auth, bug, corgi(), docs, privacy, quit];
}
