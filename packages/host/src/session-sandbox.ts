import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PermissionPort } from '@qwen/agent';
import { AgentError, type SandboxMode } from '@qwen/protocol';
import type { CommandSandbox, HostRequest } from '@qwen/tools';
import type { Configuration } from './config/load-config.js';
import type { Notice } from './notice.js';

export interface SandboxContext {
  readonly permissions: PermissionPort;
  /** Whether someone answers questions about hosts. */
  readonly mayAsk: boolean;
  readonly roots: readonly string[];
}

export interface OpenedSandbox {
  /** Missing: commands run without one. */
  readonly commands?: CommandSandbox;
  readonly notices: readonly Notice[];
}

/** The sandbox of one session: of its commands, hooks and custom commands. */
export class SessionSandbox {
  readonly #configuration: Configuration;
  readonly #context: () => SandboxContext;
  #opened: Promise<OpenedSandbox> | undefined;
  #state: SandboxMode | 'unavailable' | undefined;

  /** `context` is read when it opens. */
  constructor(configuration: Configuration, context: () => SandboxContext) {
    this.#configuration = configuration;
    this.#context = context;
  }

  /** Undefined until it opens, and if it is off. */
  get state(): SandboxMode | 'unavailable' | undefined {
    return this.#state;
  }

  /** Rejects with `sandbox_unavailable` if it is required. */
  open(): Promise<OpenedSandbox> {
    this.#opened ??= this.#open();
    return this.#opened;
  }

  /** Without a sandbox that was only preferred, each command is a question. */
  async #open(): Promise<OpenedSandbox> {
    const { sandbox: choice } = this.#configuration;
    if (choice === undefined) return { notices: [] };
    const { policy, hosts, isRequired, isDefault, refusal } = choice;
    if (refusal !== undefined) throw new AgentError('sandbox_unavailable', refusal);
    const { mayAsk, permissions, roots } = this.#context();
    const isOnline = hosts.allowed.length > 0 || (mayAsk && choice.mode === 'workspace-write');
    const options = {
      ...choice,
      policy: { ...policy, roots, ...(isOnline && { network: hosts }) },
      ...(mayAsk && { ask: (request: HostRequest) => askForHost(request, permissions) }),
    };
    const { CommandSandbox, openCommandSandbox } = await import('@qwen/tools');
    try {
      const commands = await openCommandSandbox(options);
      this.#state = choice.mode;
      return { commands, notices: [] };
    } catch (thrown) {
      this.#state = 'unavailable';
      const { code, message } = AgentError.from(thrown);
      if (isRequired || code !== 'sandbox_unavailable') throw thrown;
      if (isDefault) return { notices: [{ code, message: defaultNotice(message, policy.dataDir) }] };
      const notice = { code, message: `${message} Until then, qwen asks about each command.` };
      return { commands: new CommandSandbox(options, undefined, { problem: message }), notices: [notice] };
    }
  }
}

/** In full once per problem. */
function defaultNotice(problem: string, dataDir: string): string {
  const file = join(dataDir, 'sandbox-problem');
  try {
    if (readFileSync(file, 'utf8') === problem) return 'Commands run without a sandbox. Run: qwen doctor';
  } catch {
    // It has not been shown.
  }
  try {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, problem, { mode: 0o600 });
  } catch {
    // It is shown in full again.
  }
  return `${problem} Until then, commands run without a sandbox, under the permission rules.`;
}

async function askForHost({ host, callId, command, signal }: HostRequest, permissions: PermissionPort) {
  const reason = `In the sandbox, this command connects to ${host}.`;
  const answer = await permissions.ask(
    {
      toolName: 'run_shell_command',
      callId,
      input: { command, host },
      suggestions: [
        { type: 'allow', label: `Allow ${host} for this session`, destination: 'session' },
        { type: 'deny', label: 'Deny' },
      ],
      blockedPath: null,
      reason,
      preview: { type: 'info', prompt: reason, urls: [host] },
    },
    { signal },
  );
  return answer.behavior === 'allow';
}
