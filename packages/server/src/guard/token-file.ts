import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '@qwen/protocol';
import { writeFileAtomic } from '@qwen/tools/files';

const TOKEN = /^[\w-]{43}$/;

/**
 * 256 random bits in a file that only its owner can read. Created once. Errors: `storage_unwritable`, also for an
 * invalid file.
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
    throw new AgentError('storage_unwritable', `The token file ${path} was removed while it was created.`);
  return token;
}

async function readToken(path: string): Promise<string | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    const stats = await file.stat();
    const isOurs = process.getuid === undefined || (stats.uid === process.getuid() && (stats.mode & 0o077) === 0);
    if (!stats.isFile() || !isOurs) {
      throw new AgentError(
        'storage_unwritable',
        `Other users can read the token file ${path}. Remove it to create a new one.`,
      );
    }
    const token = (await file.readFile('utf8')).trim();
    if (!TOKEN.test(token))
      throw new AgentError('storage_unwritable', `The token file ${path} does not contain a token.`);
    return token;
  } finally {
    await file.close();
  }
}
