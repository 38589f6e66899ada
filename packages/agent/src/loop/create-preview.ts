import { baseName, type ShellReading } from '../permission/shell/shell-reading.js';
import type { ToolPreview } from '../tool-view.js';
import type { PreparedCall } from './prepare-call.js';
import type { TurnContext } from './turn-context.js';

/** What there is to see of a call before it may run. Never rejects: what cannot be shown is the reason of the question. */
export async function createPreview(
  { tool, input, facts, realPaths }: PreparedCall,
  { context, reason }: { readonly context: TurnContext; readonly reason: string },
): Promise<ToolPreview> {
  const { cwd, control } = context;
  try {
    const preview = await tool.preview?.(input, { cwd, signal: control.signal, realPaths });
    if (preview !== undefined) return preview;
  } catch {
    // The call itself will tell what is wrong with it.
  }
  const { command, shell } = facts;
  if (command === undefined) return { type: 'info', prompt: reason, urls: [] };
  return { type: 'exec', command, rootCommand: rootCommandOf(command, shell?.reading) };
}

/** The programs in their order, each once; of a command that was not read, its first word. */
function rootCommandOf(command: string, reading: ShellReading | undefined): string {
  const programs = reading?.commands.flatMap(({ words: [first] }) => (first ? [baseName(first.text)] : [])) ?? [];
  return programs.length > 0 ? [...new Set(programs)].join(', ') : (/\S+/.exec(command)?.[0] ?? command);
}
