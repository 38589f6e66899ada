import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { AgentError } from '@qwen/protocol';
import { findProgram } from '@qwen/tools';

/** A locked keychain may ask the person first. */
const TIME_LIMIT_MS = 10_000;
const SERVICE = 'qwen';

/** The password store of the desktop. Secrets are passed on stdin, never as arguments. */
export interface Keychain {
  /** For messages. */
  readonly title: string;
  /** Undefined if there is no such entry. Rejects with `storage_unwritable`. */
  load(account: string): Promise<string | undefined>;
  /** Rejects with `storage_unwritable`. */
  save(account: string, secret: string): Promise<void>;
  remove(account: string): Promise<void>;
}

/** Separate folders of settings have separate entries. */
export function accountOf(provider: string, configDir: string): string {
  return `${provider}-${createHash('sha256').update(configDir).digest('hex').slice(0, 12)}`;
}

/** Undefined without a desktop session, as on servers and in containers. */
export function findKeychain(): Keychain | undefined {
  if (process.platform === 'darwin') {
    const program = findProgram('security');
    return program === undefined ? undefined : macKeychain(program);
  }
  const hasBus = (process.env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '';
  const program = process.platform === 'linux' && hasBus ? findProgram('secret-tool') : undefined;
  return program === undefined ? undefined : secretService(program);
}

function secretService(program: string): Keychain {
  const attributes = (account: string) => ['service', SERVICE, 'account', account];
  const title = 'the keychain (Secret Service)';
  return {
    title,
    load: (account) => lookUp(title, program, ['lookup', ...attributes(account)]),
    save: async (account, secret) => {
      const args = ['store', `--label=${SERVICE} ${account}`, ...attributes(account)];
      await run(title, { program, args, input: secret });
    },
    remove: async (account) => {
      // Exit code 1: there was none.
      await lookUp(title, program, ['clear', ...attributes(account)]);
    },
  };
}

function macKeychain(program: string): Keychain {
  const names = (account: string) => ['-a', account, '-s', SERVICE];
  const title = 'the macOS keychain';
  return {
    title,
    load: (account) => lookUp(title, program, ['find-generic-password', ...names(account), '-w']),
    save: async (account, secret) => {
      // Only the interactive mode takes a password on stdin without a terminal.
      const command = `add-generic-password -U ${names(account).join(' ')} -X ${Buffer.from(secret).toString('hex')}\n`;
      await run(title, { program, args: ['-i'], input: command });
    },
    remove: async (account) => {
      await lookUp(title, program, ['delete-generic-password', ...names(account)]);
    },
  };
}

/** `secret-tool` exits with 1 and no output for a missing entry, `security` with 44. */
async function lookUp(title: string, program: string, args: readonly string[]): Promise<string | undefined> {
  const { code, stdout, stderr } = await start({ program, args });
  if (code === 44 || (code === 1 && stderr.trim() === '')) return undefined;
  if (code !== 0) throw failure(title, stderr);
  return stdout.replace(/\r?\n$/, '') || undefined;
}

interface Call {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
}

async function run(title: string, call: Call): Promise<void> {
  const { code, stderr } = await start(call);
  if (code !== 0) throw failure(title, stderr);
}

function failure(title: string, reason: string): AgentError {
  const [line = ''] = reason.trim().split('\n');
  const detail = line === '' ? `no answer within ${TIME_LIMIT_MS / 1_000} s` : line;
  return new AgentError('storage_unwritable', `Could not use ${title}: ${detail}. To use a file, add --store file.`);
}

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

async function start({ program, args, input = '' }: Call): Promise<Ended> {
  const running = promisify(execFile)(program, args, { cwd: homedir(), timeout: TIME_LIMIT_MS, killSignal: 'SIGKILL' });
  running.child.stdin?.on('error', () => undefined);
  running.child.stdin?.end(input);
  try {
    return { code: 0, ...(await running) };
  } catch (thrown) {
    const { code, stdout = '', stderr = '' } = thrown as { code?: unknown; stdout?: string; stderr?: string };
    return { code: typeof code === 'number' ? code : null, stdout, stderr };
  }
}
