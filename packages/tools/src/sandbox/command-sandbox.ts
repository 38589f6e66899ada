import type { Confinement } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import type { CommandResult } from '../shell/run-command.js';
import type { SandboxPolicy } from './policy.js';
import type { Sandbox } from './sandbox.js';

export interface CommandSandboxOptions {
  readonly policy: SandboxPolicy;
  readonly ask?: (request: HostRequest) => Promise<boolean>;
  readonly autoAllows: boolean;
  readonly mayLeave: boolean;
  /** Simple commands that run outside, under the permission rules. */
  readonly excludedCommands: readonly string[];
}

export interface HostRequest extends RunningCommand {
  readonly host: string;
}

interface RunningCommand {
  readonly callId: string;
  readonly command: string;
  readonly signal: AbortSignal;
}

export interface SandboxedCommand {
  readonly command: string;
  readonly outside_sandbox?: boolean | undefined;
}

/** Opens the sandbox of a session. Rejects with `sandbox_unavailable`, which states how to make it work. */
export async function openCommandSandbox(options: CommandSandboxOptions): Promise<CommandSandbox> {
  const { openSandbox } = await import('./sandbox.js');
  const { policy, ask } = options;
  const running = new Set<RunningCommand>();
  const askFor = async (host: string) => {
    // All commands share one network: the latest one is the likely cause.
    const cause = [...running].at(-1);
    return cause !== undefined && ask !== undefined && ask({ host, ...cause });
  };
  const runner = await openSandbox({ policy, ...(ask !== undefined && { ask: askFor }) });
  return new CommandSandbox(options, runner, { running });
}

interface SandboxState {
  readonly problem?: string;
  readonly running?: Set<RunningCommand>;
}

export class CommandSandbox {
  readonly #options: CommandSandboxOptions;
  /** Undefined: there is none, so every command is asked about. */
  readonly #runner: Sandbox | undefined;
  readonly #problem: string;
  readonly #running: Set<RunningCommand>;
  readonly #stopped = new Map<string, string>();

  constructor(options: CommandSandboxOptions, runner: Sandbox | undefined, state: SandboxState = {}) {
    this.#options = options;
    this.#runner = runner;
    this.#problem = state.problem ?? '';
    this.#running = state.running ?? new Set();
  }

  get mayLeave(): boolean {
    return this.#options.mayLeave && this.#runner !== undefined;
  }

  get description(): string {
    if (this.#runner === undefined) return '';
    const writable = this.#options.policy.mode === 'read-only' ? 'only /tmp is' : 'only the workspace and /tmp are';
    const network =
      this.#options.policy.network === undefined
        ? 'there is no network'
        : 'HTTP and HTTPS to permitted hosts is the only network';
    return ` It runs in a sandbox: ${writable} writable, and ${network}.`;
  }

  /** Undefined: the rules and the mode decide alone. */
  placeOf(place: SandboxedCommand): Confinement | undefined {
    if (this.#isExcluded(place.command)) return undefined;
    if (this.#runner === undefined) return { place: 'outside', why: this.#problem };
    if (this.#leaves(place)) {
      const why = this.#stopped.get(place.command);
      return { place: 'outside', ...(why !== undefined && { why: `Inside, ${why}.` }) };
    }
    return this.#options.autoAllows ? { place: 'inside' } : undefined;
  }

  runnerFor(place: SandboxedCommand): Sandbox | undefined {
    return this.#isExcluded(place.command) || this.#leaves(place) ? undefined : this.#runner;
  }

  /** Questions about hosts name this command until it is disposed. */
  track(command: RunningCommand): Disposable {
    const ended = new AbortController();
    const running = { ...command, signal: AbortSignal.any([command.signal, ended.signal]) };
    this.#running.add(running);
    return {
      [Symbol.dispose]: () => {
        this.#running.delete(running);
        ended.abort();
      },
    };
  }

  /** For a program of the settings. Throws `sandbox_unavailable`. */
  requireRunner(): Sandbox {
    if (this.#runner === undefined) throw new AgentError('sandbox_unavailable', this.#problem);
    return this.#runner;
  }

  explainEnd(command: string, result: CommandResult): string | undefined {
    const text = preventedBySandbox(result);
    if (text === undefined) return undefined;
    this.#stopped.set(command, text);
    const advice = this.mayLeave ? '. With "outside_sandbox": true, the user is asked to run it outside' : '';
    return `in the sandbox, ${text}${advice}`;
  }

  /** Ends its network and removes its temporary files. */
  [Symbol.dispose](): void {
    this.#runner?.[Symbol.dispose]();
  }

  #leaves({ outside_sandbox: isOutside }: SandboxedCommand): boolean {
    return isOutside === true && this.#options.mayLeave;
  }

  /** Only one simple command: in a list, the others would leave too. */
  #isExcluded(command: string): boolean {
    if (/[;&|<>$`(){}\\\n\r]/.test(command)) return false;
    const words = command.trim().replace(/\s+/g, ' ');
    return this.#options.excludedCommands
      .map((pattern) => pattern.replace(/(?::| )\*$/, '').trim())
      .some((prefix) => prefix !== '' && (words === prefix || words.startsWith(`${prefix} `)));
  }
}

/** What the sandbox kept a command from doing, as far as its result shows. */
export function preventedBySandbox({ exitCode, output, errors, ...result }: CommandResult): string | undefined {
  const found = exitCode === 0 ? [] : preventedIn(`${output}\n${errors}`);
  const hosts = result.blockedHosts.map((host) => `the host ${host} is not allowed`);
  const removed = result.reverted.map((path) => `${path} is protected and was renamed to ${path}.removed-by-sandbox`);
  const causes = [...hosts, ...found, ...removed];
  return causes.length === 0 ? undefined : causes.join('; ');
}

const REFUSED_PATH =
  /([^\s'"`:‘’]{1,200})['"’]?: (Read-only file system|Permission denied|Operation not permitted|Device or resource busy)/g;
const NO_NETWORK =
  /could not resolve|name resolution|name or service not known|network is unreachable|EAI_AGAIN|ENOTFOUND|ENETUNREACH|getaddrinfo/i;
const MAX_PATHS = 5;

function preventedIn(output: string): string[] {
  const refused = [...output.matchAll(REFUSED_PATH)].map(([, path = '', problem = '']) => `${path}: ${problem}`);
  const network = NO_NETWORK.test(output) ? ['there is no direct network'] : [];
  return [...[...new Set(refused)].slice(0, MAX_PATHS), ...network];
}
