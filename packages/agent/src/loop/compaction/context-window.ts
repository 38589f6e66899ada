/**
 * Families of models and the tokens that fit into their windows, by how their names begin; the first that fits counts.
 * Too small a number only sums up early; a model that is not listed is summed up when its provider says that it is full.
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

/** Tokens that fit into the window of this model; undefined when we do not know. A provider's prefix does not matter. */
export function knownWindow(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return KNOWN_WINDOWS.find(([prefix]) => name.startsWith(prefix))?.[1];
}
