import type { Tool, ToolContext, ToolResult } from '@qwen/agent';

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
