import { AgentError } from '@qwen/protocol';
import { KNOWN_PROVIDERS } from './known-providers.js';

const MAX_LENGTH = 16_384;
/** `export NAME=`, `NAME: `, `"apiKey": `, `Authorization: Bearer `. */
const LABEL = /^(?:export\s+)?["']?[A-Za-z][\w .-]{0,60}(?:["']\s*:|:\s|\s*=(?!=|$))\s*/;
const INVISIBLE = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;

/**
 * The key in a pasted text: without a label, quotes and line breaks. Throws `usage`, without quoting the text, if
 * there is no single key in it.
 */
export function cleanKey(text: string): string {
  const line = text.replaceAll(INVISIBLE, '').replaceAll(/\s*[\r\n]+\s*/g, '\n');
  const key = line
    .trim()
    .replace(LABEL, '')
    .replace(/^Bearer\s+/i, '')
    .replace(/^(["'`])(.*)\1[,;]?$/s, '$2')
    // A terminal breaks a long key into lines.
    .replaceAll('\n', '')
    .replace(/[,;]$/, '')
    .trim();
  if (key === '') throw new AgentError('usage', 'The key is empty.');
  if (key.length > MAX_LENGTH) throw new AgentError('usage', 'The text is too long for a key. Paste only the key.');
  if (!/^[!-~]+$/.test(key)) {
    throw new AgentError('usage', 'A key has no spaces and only ASCII characters. Paste only the key.');
  }
  return key;
}

/** Throws `usage` for a key that obviously belongs to another service, which must not receive it. */
export function checkIssuer(key: string, providerName: string): void {
  const issuer = KNOWN_PROVIDERS.find(({ keyPrefix }) => keyPrefix !== undefined && key.startsWith(keyPrefix));
  const own = KNOWN_PROVIDERS.find(({ name }) => name === providerName);
  if (issuer === undefined || own === undefined || issuer === own) return;
  const message = `This is a key of ${issuer.title}, not of ${own.title}. It was not sent and not stored.`;
  throw new AgentError('usage', message);
}
