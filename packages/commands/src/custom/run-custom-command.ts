import { AgentError, type ContentBlock } from '@qwen/protocol';
import { type Command, type CommandCall, isConfirmed } from '../command.js';
import { type CommandOutcome, failure, info, type PromptContent } from '../command-outcome.js';
import type { CommandHost } from '../host/command-host.js';
import { toVisibleText } from '../visible-text.js';
import { type TemplatePiece, takesArguments, toCommand, toPath } from './prompt-template.js';

/** What a command file may see and do: the files that it names, and the shell where there is one. */
export type PromptHost = Pick<CommandHost, 'shell' | 'references'>;

/** The command of a file. It makes a prompt and nothing else, so it runs where there is no agent either. */
export interface FileCommand extends Command {
  readonly run: (call: CommandCall, host: PromptHost) => Promise<CommandOutcome>;
}

/** A prompt with its files read and its commands run, unless one of them has to be asked about first (F-27). */
export async function runCustomCommand(
  pieces: readonly TemplatePiece[],
  call: CommandCall,
  host: PromptHost,
): Promise<CommandOutcome> {
  const { args, signal } = call;
  if (args.includes('\0')) return failure('invalid_payload', 'Arguments cannot hold a NUL byte.');
  const commands = pieces.flatMap((piece) => (piece.kind === 'shell' ? [toCommand(piece.command, args)] : []));
  const question = await permit([...new Set(commands)], call, host);
  if (question !== undefined) return question;
  const blocks: ContentBlock[] = [];
  const warnings: string[] = [];
  for (const piece of pieces) {
    signal.throwIfAborted();
    const filled = await fill(piece, { args, host, signal });
    blocks.push(...filled.content);
    warnings.push(...filled.warnings);
  }
  const behind = args === '' || takesArguments(pieces) ? '' : `\n\n${args}`;
  const content = toContent([...blocks, { type: 'text', text: behind }]);
  return { type: 'submit_prompt', content, ...(warnings.length > 0 && { warnings }) };
}

/** What to answer instead of running the commands. A rule that denies one is final, whoever approved it. */
async function permit(
  commands: readonly string[],
  call: CommandCall,
  { shell }: PromptHost,
): Promise<CommandOutcome | undefined> {
  if (commands.length > 0 && call.confirmationOutcome === 'cancel') return info('Cancelled: no command was run.');
  const approved = isConfirmed(call) ? commands.filter((one) => call.approvedCommands.includes(one)) : [];
  const asked: string[] = [];
  for (const command of commands) {
    if (toVisibleText(command) !== command) {
      return failure('permission_denied', `A command holds characters that cannot be shown: ${toVisibleText(command)}`);
    }
    const { behavior, reason } = await shell.decide(command);
    if (behavior === 'deny') return failure('permission_denied', `Not allowed: ${command}\n${reason}`);
    if (behavior === 'ask' && !approved.includes(command)) asked.push(command);
  }
  if (asked.length > 0) return { type: 'confirm_shell_commands', commands: asked, rawInvocation: call.raw };
  if (call.confirmationOutcome === 'proceed_always') for (const command of approved) await shell.allow(command);
  return undefined;
}

interface FillOptions {
  readonly args: string;
  readonly host: PromptHost;
  readonly signal: AbortSignal;
}

async function fill(piece: TemplatePiece, { args, host, signal }: FillOptions) {
  switch (piece.kind) {
    case 'text':
      return plain(piece.text);
    case 'args':
      return plain(args);
    case 'file': {
      const path = toPath(piece.path, args);
      if (path === '') throw new AgentError('invalid_payload', 'The command needs the name of a file.');
      return host.references.read(path, signal);
    }
    case 'shell': {
      const command = toCommand(piece.command, args);
      const { output, failure: problem } = await host.shell.run(command, signal);
      const note = problem === undefined ? [] : [`[${command}: ${problem}]`];
      return plain([...(output === '' ? [] : [output.trimEnd()]), ...note].join('\n'));
    }
  }
}

function plain(text: string): { content: ContentBlock[]; warnings: readonly string[] } {
  return { content: [{ type: 'text', text }], warnings: [] };
}

/** Neighbouring words become one block; nothing but words is a string. */
function toContent(blocks: readonly ContentBlock[]): PromptContent {
  const joined: ContentBlock[] = [];
  for (const block of blocks) {
    const last = joined.at(-1);
    if (block.type === 'text' && last?.type === 'text')
      joined[joined.length - 1] = { ...last, text: last.text + block.text };
    else joined.push(block);
  }
  const [only] = joined;
  return joined.length === 1 && only?.type === 'text' ? only.text : joined;
}
