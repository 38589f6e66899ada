import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { AgentError } from '@qwen/protocol';

/** A secret of the configuration: itself, or the file that holds it. */
export interface SecretPlace {
  /** As the configuration names it: `oauth.privateKey`. Its file is the same with `File` at the end. */
  readonly name: string;
  readonly text?: string | undefined;
  /** Absolute path. */
  readonly file?: string | undefined;
}

/** Reads a secret. Rejects with `invalid_options` that names the member and never shows what it holds. */
export async function readSecret({ name, text, file }: SecretPlace): Promise<string> {
  if (text !== undefined) return text;
  if (file === undefined) throw new AgentError('invalid_options', `${name} or ${name}File is needed`);
  if (!isAbsolute(file)) throw new AgentError('invalid_options', `${name}File must be an absolute path: ${file}`);
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (cause) {
    throw new AgentError('invalid_options', `${name}File cannot be read: ${file}`, { cause });
  }
}
