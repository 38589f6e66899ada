import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { AgentError } from '@qwen/protocol';

/** What a server proves with who it is. */
export interface TlsFiles {
  /** PEM: the certificate, and behind it those that vouch for it. */
  readonly certFile: string;
  /** PEM, without a passphrase; a file that only its owner can read, or its group. */
  readonly keyFile: string;
}

/** The contents of both files. */
export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
}

/**
 * Reads both and sees whether they belong together (S80). Errors: `usage`, which names the file that is not there, that
 * others can read, or that holds something else.
 */
export async function readTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsMaterial> {
  const cert = await read(certFile, 'certificate');
  const key = await read(keyFile, 'key');
  // What a cluster mounts as a secret belongs to a group.
  if (process.platform !== 'win32' && ((await stat(keyFile)).mode & 0o037) !== 0) {
    throw new AgentError('usage', `The key file ${keyFile} is open to others: chmod 600 ${keyFile}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgentError('usage', `The certificate ${certFile} and the key ${keyFile} cannot be used: ${why}`);
  }
  return { cert, key };
}

async function read(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new AgentError('usage', `The ${what} of the server cannot be read: ${why}`);
  }
}
