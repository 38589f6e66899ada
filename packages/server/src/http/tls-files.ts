import { readFile, stat } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { AgentError, messageOf } from '@qwen/protocol';

export interface TlsFiles {
  /** PEM: the certificate, followed by its chain. */
  readonly certFile: string;
  /** PEM without a passphrase, readable only by its owner or group. */
  readonly keyFile: string;
}

export interface TlsMaterial {
  readonly cert: string;
  readonly key: string;
}

/** Errors: `usage`, which names the invalid file. */
export async function readTlsFiles({ certFile, keyFile }: TlsFiles): Promise<TlsMaterial> {
  const cert = await read(certFile, 'certificate');
  const key = await read(keyFile, 'key');
  // Kubernetes mounts secrets with group access.
  if (process.platform !== 'win32' && ((await stat(keyFile)).mode & 0o037) !== 0) {
    throw new AgentError('usage', `Other users can read the key file ${keyFile}. Run: chmod 600 ${keyFile}`);
  }
  try {
    createSecureContext({ cert, key });
  } catch (thrown) {
    const reason = messageOf(thrown);
    throw new AgentError('usage', `Cannot use the certificate ${certFile} with the key ${keyFile}: ${reason}`);
  }
  return { cert, key };
}

async function read(path: string, what: string): Promise<string> {
  try {
    return await readFile(path, 'latin1');
  } catch (thrown) {
    const reason = messageOf(thrown);
    throw new AgentError('usage', `Cannot read the TLS ${what}: ${reason}`);
  }
}
