import { AgentError, type ContentBlock, escapeHidden } from '@qwen/protocol';
import { type Command, type CommandCall, isConfirmed } from '../command.js';
import { type CommandOutcome, failure, info, type PromptContent } from '../command-outcome.js';
import type { CommandHost } from '../host/command-host.js';
import { argumentOf, type TemplatePiece, takesArguments, toCommand, toPath } from './prompt-template.js';

export type PromptHost = Pick<CommandHost, 'shell' | 'references'>;

/** Only creates a prompt, so it also runs without an agent. */
export interface FileCommand extends Command {
  /** Relative to the folder of commands, such as `git/review.md`. */
  readonly file?: string;
  readonly run: (call: CommandCall, host: PromptHost) => Promise<CommandOutcome>;
}

/** Returns a prompt, or a question about its commands. */
export async function runCustomCommand(
  pieces: readonly TemplatePiece[],
  call: CommandCall,
  host: PromptHost,
): Promise<CommandOutcome> {
  const { args, signal } = call;
  if (args.includes('\0')) return failure('invalid_payload', 'Arguments must not contain a NUL byte.');
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
  const appended = args === '' || takesArguments(pieces) ? '' : `\n\n${args}`;
  const content = toContent([...blocks, { type: 'text', text: appended }]);
  return { type: 'submit_prompt', content, ...(warnings.length > 0 && { warnings }) };
}

/** Returns what to answer instead of running the commands. A deny rule overrides approval. */
async function permit(
  commands: readonly string[],
  call: CommandCall,
  { shell }: PromptHost,
): Promise<CommandOutcome | undefined> {
  if (commands.length > 0 && call.confirmationOutcome === 'cancel') return info('Cancelled. No command was run.');
  const approved = isConfirmed(call) ? commands.filter((one) => call.approvedCommands.includes(one)) : [];
  const asked: string[] = [];
  for (const command of commands) {
    if (escapeHidden(command, { keepLines: true }) !== command) {
      return failure(
        'permission_denied',
        `A command contains characters that cannot be displayed: ${escapeHidden(command, { keepLines: true })}`,
      );
    }
    const { behavior, reason } = await shell.decide(command);
    if (behavior === 'deny') return failure('permission_denied', `Command denied: ${command}\n${reason}`);
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
      return plain(argumentOf(args, piece.number));
    case 'file': {
      const path = toPath(piece.path, args);
      if (path === '') throw new AgentError('invalid_payload', 'This command needs a file name as its argument.');
      return piece.isOptional === true ? readOptional(path, host, signal) : host.references.read(path, signal);
    }
    case 'shell': {
      const command = toCommand(piece.command, args);
      const { output, failure: problem } = await host.shell.run(command, signal);
      const note = problem === undefined ? [] : [`[${command}: ${problem}]`];
      return plain([...(output === '' ? [] : [output.trimEnd()]), ...note].join('\n'));
    }
  }
}

async function readOptional(path: string, { references }: PromptHost, signal: AbortSignal) {
  try {
    return await references.read(path, signal);
  } catch (thrown) {
    signal.throwIfAborted();
    return { ...plain(`@${path}`), warnings: [AgentError.from(thrown).message] };
  }
}

function plain(text: string): { content: ContentBlock[]; warnings: readonly string[] } {
  return { content: [{ type: 'text', text }], warnings: [] };
}

/** Joins adjacent text blocks; text alone becomes a string. */
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
