import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { AddClientAuthentication } from '@modelcontextprotocol/client';
import { AgentError, type McpOAuthConfig } from '@qwen/protocol';
import { readSecret } from './secret-text.js';

const ALGORITHM_OF_CURVE: ReadonlyMap<string, string> = new Map([
  ['prime256v1', 'ES256'],
  ['secp384r1', 'ES384'],
  ['secp521r1', 'ES512'],
]);

/** Authenticates with a signed JWT (private_key_jwt, RFC 7523). Rejects with `invalid_options` for an unsupported key. */
export async function signedAuthentication(clientId: string, config: McpOAuthConfig): Promise<AddClientAuthentication> {
  const place = { name: 'oauth.privateKey', text: config.privateKey, file: config.privateKeyFile };
  const key = readKey(await readSecret(place));
  const algorithm = config.signingAlgorithm ?? algorithmOf(key);
  const { createPrivateKeyJwtAuth } = await import('@modelcontextprotocol/client');
  return createPrivateKeyJwtAuth({
    issuer: clientId,
    subject: clientId,
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    alg: algorithm,
  });
}

function readKey(pem: string): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    // The library's error may contain a part of the key.
    throw new AgentError('invalid_options', 'oauth.privateKey is not an unencrypted private key in PEM form');
  }
}

function algorithmOf(key: KeyObject): string {
  const { asymmetricKeyType: type, asymmetricKeyDetails: details } = key;
  const algorithm = type === 'rsa' ? 'RS256' : ALGORITHM_OF_CURVE.get(details?.namedCurve ?? '');
  if (algorithm !== undefined) return algorithm;
  throw new AgentError('invalid_options', `oauth.privateKey has an unsupported key type: ${type}`);
}
