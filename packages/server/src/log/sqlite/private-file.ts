import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '@qwen/protocol';

/** SQLite gives its other files the same mode. */
export async function makePrivate(path: string): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(path, 'a', 0o600);
    await file.close();
    await chmod(path, 0o600);
  } catch (error) {
    throw AgentError.from(error, 'storage_unwritable');
  }
}
