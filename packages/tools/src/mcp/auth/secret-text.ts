import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AgentError } from '@qwen/protocol';

export interface SecretSource {
  /** In the configuration, such as `oauth.privateKey`. */
  readonly name: string;
  readonly text?: string | undefined;
  /** Absolute. */
  readonly file?: string | undefined;
}

/** Rejects with `invalid_options`, without the content. */
export async function readSecret({ name, text, file }: SecretSource): Promise<string> {
  if (text !== undefined) return text;
  if (file === undefined) throw new AgentError('invalid_options', `set ${name} or ${name}File`);
  if (!isAbsolute(file)) throw new AgentError('invalid_options', `${name}File must be an absolute path: ${file}`);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new AgentError('invalid_options', `${name}File cannot be read: ${file}`, { cause });
  }
}
