import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import type { AgentHost } from '@qwen/host/agent-host.js';
import { mayBeCommand } from '@qwen/host/commands/known-commands.js';
import type { Configuration } from '@qwen/host/config/load-config.js';
import { AgentError } from '@qwen/protocol';
import { commandEnvironment, findProgram } from '@qwen/tools';
import { stopReading } from '../screen/suspend.js';
import type { QuestionQueue } from './question-queue.js';

export interface TypedCommand {
  readonly command: string;
  /** The command gets the terminal until it ends. */
  readonly isInteractive: boolean;
}

export interface ShellTurn {
  readonly uuid: string;
  readonly host: AgentHost;
  readonly onRefused: (error: AgentError) => void;
  /** Called when an interactive command has ended, with what to print. Others end with their turn. */
  readonly onEnd: (report: string | undefined) => void;
}

type Lend = (use: () => Promise<void>) => Promise<void>;

/** Programs that need a terminal, by their usual names. */
const FULL_SCREEN = new Set(
  (
    'vi vim nvim view nano pico micro emacs hx helix kak less more most man top htop btop atop ssh mosh tmux screen ' +
    'zellij fzf tig lazygit gitui ranger mc nnn watch gdb lldb psql mysql sqlite3 redis-cli ftp sftp telnet'
  ).split(' '),
);
const GIT_EDITS =
  /^git\s+(?:rebase\s+(?:-i|--interactive)|(?:add|checkout|restore|reset|stash)\s+(?:-p|--patch)|commit\s*$)/;

/** What a line such as `!git status` or `!!make menuconfig` runs. Undefined for other lines. */
export function typedCommand(text: string): TypedCommand | undefined {
  const [, marks, rest = ''] = /^\s*(!!?)(.*)$/s.exec(text) ?? [];
  const command = rest.trim();
  if (marks === undefined || command === '') return undefined;
  const [program = ''] = command.split(/\s/, 1);
  const isKnown = FULL_SCREEN.has(program) && !/[|<>]/.test(command);
  return { command, isInteractive: marks === '!!' || isKnown || GIT_EDITS.test(command) };
}

/** Commands act between turns. */
export function isForModel(text: string): boolean {
  return !mayBeCommand(text) && !text.trimStart().startsWith('!');
}

/** Runs the commands that the user types after `!`. The model reads them with the next prompt. */
export class ShellMode {
  readonly #configuration: Configuration;
  readonly #questions: QuestionQueue;
  #lend: Lend | undefined;

  constructor(configuration: Configuration, questions: QuestionQueue) {
    this.#configuration = configuration;
    this.#questions = questions;
  }

  /** `lend` hides the screen while `use` has the terminal. */
  attach(lend: Lend | undefined): void {
    this.#lend = lend;
  }

  run({ command, isInteractive }: TypedCommand, turn: ShellTurn): void {
    if (isInteractive) {
      this.#runInTerminal(command, turn).then(turn.onEnd, (thrown) => turn.onRefused(AgentError.from(thrown)));
      return;
    }
    const { uuid, host, onRefused } = turn;
    const callId = `call_${crypto.randomUUID()}`;
    this.#questions.expectTyped(callId);
    try {
      const call = { name: 'run_shell_command', input: { command }, isClientInitiated: true, isShared: true };
      host.runTool({ uuid, callId, ...call });
    } catch (thrown) {
      onRefused(AgentError.from(thrown));
    }
  }

  async #runInTerminal(command: string, { host }: ShellTurn): Promise<string | undefined> {
    const { behavior, reason } = await host.explainCall({ name: 'run_shell_command', input: { command } });
    if (behavior === 'deny') throw new AgentError('permission_denied', `Command denied: ${reason}`);
    if (this.#lend === undefined) throw new AgentError('tool_failed', 'There is no terminal for this command.');
    const { cwd, settings } = this.#configuration;
    const keep = new Set(settings.allowedVariables);
    const environment = commandEnvironment({ base: process.env, keep, isAttended: true });
    let ending = '';
    await this.#lend(async () => {
      ending = await runAttached(command, { cwd, environment });
    });
    const session = await host.session();
    await session.inject(`The user ran ${command} in the terminal. You cannot see what it printed. It ${ending}.`);
    return ending === ENDED_WELL ? undefined : `${command} ${ending}.`;
  }
}

const ENDED_WELL = 'ended with exit code 0';

/** Ctrl-C and Ctrl-\ reach the whole foreground group, but are meant for the command: see system(3). */
async function runAttached(
  command: string,
  { cwd, environment }: { readonly cwd: string; readonly environment: Record<string, string> },
): Promise<string> {
  const ignore = (): void => undefined;
  const listeners = process.listeners('SIGINT');
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  process.on('SIGQUIT', ignore);
  try {
    await stopReading();
    const shell = findProgram('bash') ?? true;
    const child = spawn(command, { cwd, env: environment, shell, stdio: 'inherit' });
    return await new Promise((resolve, reject) => {
      child.once('error', (cause) => reject(new AgentError('tool_failed', `${command} did not start.`, { cause })));
      child.once('exit', (code, signal) => resolve(endingOf(code, signal)));
    });
  } finally {
    process.off('SIGINT', ignore);
    process.off('SIGQUIT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}

function endingOf(code: number | null, signal: NodeJS.Signals | null): string {
  if (signal === null) return `ended with exit code ${code}`;
  return `was ended by ${signal} (${constants.signals[signal]})`;
}
