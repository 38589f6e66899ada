import { join, resolve } from 'node:path';
import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { AgentError, escapeHidden } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { readWords } from '../words/read-words.js';
import { loadServer } from './load-server.js';
import { type AccessTokens, TOKEN_SCOPES, type TokenScope } from './serve-module.js';
import { SERVE } from './spec.js';

type Flags = ReturnType<typeof readWords<typeof SERVE.verbs.token.flags>>['flags'];

/** `qwen serve token create NAME`, `list` and `revoke ID`. A running server applies changes with its next request. */
export const runServeToken: Subcommand = async ({ words, environment, cwd, print, printError }) => {
  const { flags, rest } = readWords(words, { command: 'serve token', flags: SERVE.verbs.token.flags });
  const [verb = '', name, ...more] = rest;
  const file = flags.tokens ?? join(findConfigDir(environment, cwd), 'server', 'tokens.json');
  const tokens: AccessTokens = new (loadServer().AccessTokens)(resolve(cwd, file));
  if (more.length > 0) throw new AgentError('usage', `serve token: unexpected argument "${more.join(' ')}"`);
  if (verb === 'list' && name === undefined) {
    await print(await showTokens(tokens, flags.json === true));
    return 0;
  }
  if (verb === 'create' && name !== undefined) {
    const { token, id } = await tokens.create({ name, ...readToken(flags) });
    printError(`created the token ${id} for ${name}; it will not be shown again`);
    await print(`${token}\n`);
    return 0;
  }
  if (verb === 'revoke' && name !== undefined) {
    const count = await tokens.revoke(name);
    if (count > 0) await print(`Revoked ${count} ${count === 1 ? 'token' : 'tokens'}.\n`);
    else printError(`no token has the id or name ${name}`);
    return count > 0 ? 0 : 1;
  }
  throw new AgentError('usage', 'serve token: expected "create NAME", "list" or "revoke ID"');
};

function readToken(flags: Flags) {
  const expiry = flags['expires-in'];
  return {
    scopes: readScopes(flags.scope ?? ['read', 'write', 'approve']),
    ...(expiry !== undefined && { expiresAt: new Date(Date.now() + toMs(expiry)) }),
    limits: {
      requests_per_minute: toLimit('requests-per-minute', flags['requests-per-minute']),
      concurrent_turns: toLimit('concurrent-turns', flags['concurrent-turns']),
      tokens_per_day: toLimit('tokens-per-day', flags['tokens-per-day']),
      usd_per_day: toLimit('usd-per-day', flags['usd-per-day'], /^\d{1,9}(?:\.\d{1,4})?$/),
    },
  };
}

function readScopes(given: readonly string[]): TokenScope[] {
  return given.map((word) => {
    const scope = TOKEN_SCOPES.find((one) => one === word);
    if (scope !== undefined) return scope;
    throw new AgentError('usage', `serve token: --scope needs one of ${TOKEN_SCOPES.join(', ')}, not "${word}"`);
  });
}

const UNIT_MS: ReadonlyMap<string, number> = new Map([
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

function toMs(text: string): number {
  const [, number = '', unit = ''] = /^([1-9]\d{0,4})([hd])$/.exec(text) ?? [];
  const unitMs = UNIT_MS.get(unit);
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new AgentError('usage', `serve token: --expires-in needs hours or days, such as 12h or 90d, not "${text}"`);
}

function toLimit(flag: string, text: string | undefined, pattern = /^\d{1,12}$/): number | undefined {
  if (text === undefined) return undefined;
  if (pattern.test(text) && Number(text) > 0) return Number(text);
  throw new AgentError('usage', `serve token: --${flag} needs a number above 0, not "${text}"`);
}

async function showTokens(tokens: AccessTokens, asJson: boolean): Promise<string> {
  const listed = (await tokens.list()).map(({ hash: _hash, ...token }) => token);
  if (asJson) return `${JSON.stringify(listed, undefined, 2)}\n`;
  if (listed.length === 0) return 'No tokens.\n';
  return listed
    .map(({ id, name, scopes, expires_at: expiresAt, limits }) => {
      const until = expiresAt === undefined ? 'never expires' : `expires ${expiresAt}`;
      const limited = Object.entries(limits).map(([limit, value]) => `${limit} ${value}`);
      return `${[id, escapeHidden(name), scopes.join(','), until, ...limited].join('  ')}\n`;
    })
    .join('');
}
