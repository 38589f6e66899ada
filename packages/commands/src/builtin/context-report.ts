import type { ContextUsage } from '@qwen/agent';

// Loaded when the user asks for it.

export function contextReport({ parts, totalTokens, windowTokens, isEstimated }: ContextUsage): string {
  if (parts.length === 0) return 'The context is empty: nothing has been sent to the model yet.';
  const used = `${isEstimated ? 'about ' : ''}${Math.round(totalTokens).toLocaleString('en-US')}`;
  const share = windowTokens === undefined ? '' : ` (${percent(totalTokens, windowTokens)})`;
  const free = windowTokens === undefined ? [] : [{ name: 'free', tokens: Math.max(0, windowTokens - totalTokens) }];
  const heading =
    windowTokens === undefined
      ? `Context: ${used} tokens; the size of the window is unknown`
      : `Context: ${used} of ${windowTokens.toLocaleString('en-US')} tokens${share}`;
  const rows = [...parts, ...free].map(({ name, tokens }) => {
    const part = windowTokens === undefined ? '' : `  ${percent(tokens, windowTokens).padStart(4)}`;
    return `  ${name.padEnd(13)}  ${Math.round(tokens).toLocaleString('en-US').padStart(9)}${part}`;
  });
  return [heading, ...rows, 'The sizes of the parts are estimates.'].join('\n');
}

function percent(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`;
}
