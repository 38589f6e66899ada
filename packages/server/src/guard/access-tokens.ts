import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { AgentError, describeIssue, escapeHidden, systemCodeOf } from '@qwen/protocol';
import { type TokenScope, tokenScopeSchema } from '@qwen/protocol/server';
import { writeFileAtomic } from '@qwen/tools/files';
import * as z from 'zod/mini';

const limit = z.optional(z.number().check(z.positive()));

const tokenSchema = z.object({
  /** Names the token in the list and for revocation. */
  id: z.string(),
  /** The user, who owns the sessions; several tokens may have the same. */
  name: z.string().check(z.regex(/^[\w.@-]{1,64}$/)),
  /** SHA-256, in hex. The token has 256 random bits, so a slow hash would add nothing. */
  hash: z.string().check(z.regex(/^[\da-f]{64}$/)),
  scopes: z.array(tokenScopeSchema).check(z.minLength(1)),
  created_at: z.string(),
  expires_at: z.optional(z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'expected a time'))),
  limits: z._default(
    z.object({
      requests_per_minute: limit,
      concurrent_turns: limit,
      /** Since midnight UTC. */
      tokens_per_day: limit,
      usd_per_day: limit,
    }),
    {},
  ),
});

const fileSchema = z.object({ tokens: z.array(tokenSchema) });

export type AccessToken = z.infer<typeof tokenSchema>;
export type TokenLimits = AccessToken['limits'];

/** Who sends a request. */
export interface Caller {
  /** ID of the token. Undefined for the administrator. */
  readonly id?: string;
  /** Undefined for the administrator of `--token` or a local user. */
  readonly name: string | undefined;
  readonly scopes: readonly TokenScope[];
  readonly limits: TokenLimits;
}

export const ADMIN: Caller = { name: undefined, scopes: ['admin'], limits: {} };

export function mayDo({ scopes }: Caller, scope: TokenScope): boolean {
  return scopes.includes('admin') || scopes.includes(scope);
}

export interface NewToken extends Pick<AccessToken, 'name' | 'scopes' | 'limits'> {
  /** Default: never. */
  readonly expiresAt?: Date | undefined;
}

/**
 * The tokens of a file with mode 0600, which contains only hashes. Reads it again whenever it has changed, so tokens
 * come and go without a restart.
 */
export class AccessTokens {
  readonly #path: string;
  #tokens: readonly AccessToken[] = [];
  #version = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the new token, which is stored nowhere else. Errors: `usage`, `storage_unwritable`. */
  async create({ expiresAt, ...named }: NewToken): Promise<{ readonly token: string; readonly id: string }> {
    const token = `qwen_${randomBytes(32).toString('base64url')}`;
    const id = randomBytes(4).toString('hex');
    const entry = { ...named, id, hash: digest(token).toString('hex'), created_at: new Date().toISOString() };
    const added = { ...entry, ...(expiresAt !== undefined && { expires_at: expiresAt.toISOString() }) };
    const read = z.safeParse(tokenSchema, added);
    if (!read.success) throw new AgentError('usage', describeIssue('token', read.error));
    await this.#write([...(await this.list()), read.data]);
    return { token, id };
  }

  /** By id, or all of a name. Returns how many there were. Errors: `storage_unwritable`. */
  async revoke(idOrName: string): Promise<number> {
    const tokens = await this.list();
    const kept = tokens.filter(({ id, name }) => id !== idOrName && name !== idOrName);
    if (kept.length < tokens.length) await this.#write(kept);
    return tokens.length - kept.length;
  }

  /** Errors: `storage_unwritable` for a file that is invalid, cannot be read, or that others can read. */
  async list(): Promise<readonly AccessToken[]> {
    const status = await stat(this.#path).catch((thrown: unknown) => {
      if (systemCodeOf(thrown) === 'ENOENT') return undefined;
      throw AgentError.from(thrown, 'storage_unwritable');
    });
    const version = status === undefined ? '' : `${status.ino} ${status.mtimeMs} ${status.size} ${status.mode}`;
    if (version === this.#version) return this.#tokens;
    this.#tokens = status === undefined ? [] : await readTokens(this.#path);
    this.#version = version;
    return this.#tokens;
  }

  /** Undefined for an unknown or expired token. Compares all of them, so that the time reveals nothing. */
  async find(token: string): Promise<AccessToken | undefined> {
    const given = digest(token);
    let found: AccessToken | undefined;
    for (const each of await this.list()) {
      if (timingSafeEqual(Buffer.from(each.hash, 'hex'), given)) found = each;
    }
    return found !== undefined && isValid(found) ? found : undefined;
  }

  /** Undefined if the token was revoked or has expired. */
  async findById(wanted: string): Promise<AccessToken | undefined> {
    return (await this.list()).find((token) => token.id === wanted && isValid(token));
  }

  async #write(tokens: readonly AccessToken[]): Promise<void> {
    const text = `${JSON.stringify({ tokens }, undefined, 2)}\n`;
    try {
      await writeFileAtomic(this.#path, text, { mode: 0o600, folderMode: 0o700 });
    } catch (thrown) {
      throw AgentError.from(thrown, 'storage_unwritable');
    }
    this.#version = '-';
  }
}

function isValid({ expires_at: expiresAt }: AccessToken): boolean {
  return expiresAt === undefined || Date.parse(expiresAt) > Date.now();
}

async function readTokens(path: string): Promise<readonly AccessToken[]> {
  const refuse = (reason: string) =>
    new AgentError('storage_unwritable', `The file of tokens ${escapeHidden(path)} ${reason}.`);
  let text: string;
  const file = await open(path, constants.O_RDONLY).catch((thrown: unknown) => {
    throw AgentError.from(thrown, 'storage_unwritable');
  });
  try {
    // Kubernetes mounts secrets with group access.
    const { mode } = await file.stat();
    if (process.platform !== 'win32' && (mode & 0o037) !== 0) throw refuse('can be read or changed by other users');
    text = await file.readFile('utf8');
  } finally {
    await file.close();
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw refuse('is not JSON');
  }
  const read = z.safeParse(fileSchema, json);
  if (read.success) return read.data.tokens;
  throw refuse(`is invalid: ${describeIssue('file', read.error)}`);
}

export function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
