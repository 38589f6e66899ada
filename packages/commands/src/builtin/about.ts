import type { Command } from '../command.js';
import { says } from '../command-outcome.js';
import type { AccountFacts } from '../host/command-host.js';

export const aboutCommand: Command = {
  name: 'about',
  description: 'Shows version, model, account and session.',
  aliases: ['status'],
  kind: 'built-in',
  run: async (_call, { facts, session, permissions }) =>
    says(
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
export function accountText({ provider, host, credentialSource }: AccountFacts): string {
  if (provider === undefined) return 'none is configured';
  return [
    provider,
    ...(host === undefined ? [] : [` at ${host}`]),
    ...(credentialSource === undefined ? [] : [`, by ${credentialSource}`]),
  ].join('');
}
