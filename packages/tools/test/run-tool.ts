import type { Tool, ToolContext, ToolPreview, ToolResult } from '@qwen/agent';

/** Parses the input as the loop would and runs the tool in a folder. */
export async function runTool<Input>(
  tool: Tool<Input>,
  input: unknown,
  context: Partial<ToolContext> & { readonly cwd: string },
): Promise<ToolResult> {
  return tool.execute(tool.parse(input), {
    callId: 'call_1',
    signal: new AbortController().signal,
    emit: () => {},
    ...context,
  });
}

/** The same for a tool that answers with text. */
export async function runToolForText<Input>(
  tool: Tool<Input>,
  input: unknown,
  context: Partial<ToolContext> & { readonly cwd: string },
): Promise<string> {
  const { content } = await runTool(tool, input, context);
  if (typeof content !== 'string') throw new Error('the tool answered with more than text');
  return content;
}

/** The preview of a call; undefined for a tool without one. */
export async function previewOf<Input>(
  tool: Tool<Input>,
  input: unknown,
  { cwd }: { readonly cwd: string },
): Promise<ToolPreview | undefined> {
  return tool.preview?.(tool.parse(input), { cwd, signal: new AbortController().signal });
}
