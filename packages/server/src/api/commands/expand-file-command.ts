import type { CommandOutcome, PromptContent } from '@qwen/commands';
import { createReferenceReader } from '@qwen/commands';
import { createFileReferences, type FileCommand, type PromptHost } from '@qwen/commands/node';
import { AgentError, type ContentBlock } from '@qwen/protocol';
import type { Workspace } from '../files/workspace.js';

export interface ExpandOptions {
  readonly workspace: Workspace;
  readonly args: string;
  readonly signal: AbortSignal;
}

export interface ExpandedCommand {
  readonly prompt: readonly ContentBlock[];
  readonly warnings: readonly string[];
}

/**
 * Expands a command file with its arguments and files. Errors: `shell_refused` for `!{…}`, before any file is read;
 * `permission_denied` and `invalid_payload` for a file outside the workspace or a missing one.
 */
export async function expandFileCommand(
  command: FileCommand,
  { workspace, args, signal }: ExpandOptions,
): Promise<ExpandedCommand> {
  const call = {
    args,
    raw: `/${command.name} ${args}`.trim(),
    approvedCommands: [],
    signal,
    commands: [],
    conflicts: [],
  };
  const outcome = await command.run(call, promptHost(workspace));
  if (outcome.type !== 'submit_prompt') throw refusal(outcome);
  return { prompt: toBlocks(outcome.content), warnings: outcome.warnings ?? [] };
}

/** Other blocks are replaced with their type. */
export function promptText(prompt: readonly ContentBlock[]): string {
  return prompt.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('');
}

function promptHost({ root, directories, rules }: Workspace): PromptHost {
  const isHidden = (path: string) => rules.hides(path);
  const source = createFileReferences({ cwd: root, roots: [root, ...directories], isHidden });
  return { references: createReferenceReader(source), shell: { decide: refuse, allow: refuse, run: refuse } };
}

async function refuse(): Promise<never> {
  throw new AgentError('shell_refused', 'The command contains !{…}. Shell commands do not run over HTTP.');
}

function refusal(outcome: CommandOutcome): AgentError {
  if (outcome.type !== 'message')
    return new AgentError('internal', `Unexpected outcome of a command file: ${outcome.type}.`);
  return new AgentError(outcome.code ?? 'invalid_payload', outcome.content);
}

function toBlocks(content: PromptContent): readonly ContentBlock[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}
