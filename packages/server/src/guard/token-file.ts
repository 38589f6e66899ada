import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';

const TOKEN = /^[\w-]{43}$/;

/**
 * The token of this installation: 256 random bits, in a file that only its owner can read. Made at the first start, the
 * same ever after; two processes that start at once agree on one. Errors: `storage_unwritable` when it cannot be
 * made, when it is no plain file of ours that is closed to others, or when it holds no token.
 */
export async function readOrMintToken(path: string): Promise<string> {
  try {
    return (await readToken(path)) ?? (await mintToken(path));
  } catch (error) {
    throw AgentError.from(error, 'storage_unwritable');
  }
}

async function mintToken(path: string): Promise<string> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  const text = `${randomBytes(32).toString('base64url')}\n`;
  await writeFileAtomic(path, text, { mode: 0o600, overwrite: false }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const token = await readToken(path);
  if (token === undefined)
    throw new AgentError('storage_unwritable', `The token file ${path} vanished as it was made.`);
  return token;
}

/** Undefined when there is no such file. */
async function readToken(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const facts = await file.stat();
    const isOurs = process.getuid === undefined || (facts.uid === process.getuid() && (facts.mode & 0o077) === 0);
    if (!facts.isFile() || !isOurs) {
      throw new AgentError(
        'storage_unwritable',
        `The token file ${path} is open to others; remove it, a new one is made.`,
      );
    }
    const token = (await file.readFile('utf8')).trim();
    if (!TOKEN.test(token)) throw new AgentError('storage_unwritable', `The token file ${path} holds no token.`);
    return token;
  } finally {
    await file.close();
  }
}
