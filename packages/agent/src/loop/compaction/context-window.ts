/**
 * Context windows by model name; the first matching prefix is used. Unknown models are compacted when the provider
 * refuses the length.
 */
const KNOWN_WINDOWS: readonly (readonly [prefix: string, tokens: number])[] = [
  ['qwen3-coder-plus', 1_000_000],
  ['qwen3-coder-flash', 1_000_000],
  ['qwen3-max', 262_144],
  ['qwen3-coder', 262_144],
  ['qwen-plus', 131_072],
  ['qwen-turbo', 131_072],
  ['qwen-max', 32_768],
  ['gemini-2.5', 1_048_576],
  ['gemini-3', 1_048_576],
  ['gemini-2.0-flash', 1_048_576],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['gpt-5', 400_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['deepseek', 128_000],
];

export function knownWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return KNOWN_WINDOWS.find(([prefix]) => name.startsWith(prefix))?.[1];
}
