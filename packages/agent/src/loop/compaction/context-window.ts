/** Context windows in tokens by model name; the first matching prefix is used. The smallest one of its variants. */
const KNOWN_WINDOWS: readonly (readonly [prefix: string, tokens: number])[] = [
  ['qwen3-coder-plus', 1_000_000],
  ['qwen3-coder-flash', 1_000_000],
  ['qwen3-coder', 262_144],
  ['qwen3-max', 262_144],
  ['qwen3-next', 262_144],
  ['qwen3.5-plus', 1_000_000],
  ['qwen3.5-flash', 1_000_000],
  ['qwen3.5', 262_144],
  ['qwen3.6-plus', 1_000_000],
  ['qwen3.6-flash', 1_000_000],
  ['qwen3.6', 262_144],
  ['qwen3.7', 1_000_000],
  ['qwen3.8-27b', 262_144],
  ['qwen3.8', 1_000_000],
  ['qwen3', 131_072],
  ['qwen2.5-coder', 32_768],
  ['qwen2', 32_768],
  ['qwen1', 32_768],
  ['qwen-plus', 131_072],
  ['qwen-flash', 131_072],
  ['qwen-turbo', 131_072],
  ['qwen-long', 1_000_000],
  ['qwen-max', 32_768],
  ['qwq', 131_072],
  ['gemini-1.5-pro', 2_097_152],
  ['gemini', 1_048_576],
  ['gemma-3n', 32_768],
  ['gemma3n', 32_768],
  ['gemma-3-1b', 32_768],
  ['gemma3:1b', 32_768],
  ['gemma-4', 131_072],
  ['gemma4', 131_072],
  ['gemma-3', 131_072],
  ['gemma3', 131_072],
  ['gemma', 8_192],
  ['gpt-oss', 131_072],
  ['gpt-4.1', 1_047_576],
  ['gpt-4o', 128_000],
  ['gpt-4-turbo', 128_000],
  ['gpt-4', 8_192],
  ['gpt-3.5', 16_385],
  ['gpt-5-chat', 128_000],
  ['gpt-5.1-chat', 128_000],
  ['gpt-5.2-chat', 128_000],
  ['gpt-5.3-chat', 128_000],
  ['gpt-5.3-codex-spark', 128_000],
  // The window has 400,000 tokens, 128,000 of them for the answer.
  ['gpt-5', 272_000],
  ['o1-mini', 128_000],
  ['o1-preview', 128_000],
  ['o1', 200_000],
  ['o3', 200_000],
  ['o4', 200_000],
  ['codex', 200_000],
  ['claude', 200_000],
  ['glm-4.5v', 65_536],
  ['glm-4.5', 131_072],
  ['glm-4.6v', 131_072],
  ['glm-4.6', 200_000],
  ['glm-4.7', 200_000],
  ['glm-5', 200_000],
  ['glm', 131_072],
  ['kimi-k2-instruct-0905', 262_144],
  ['kimi-k2-0905', 262_144],
  ['kimi-k2-turbo', 262_144],
  ['kimi-k2-thinking', 262_144],
  ['kimi-k2.', 262_144],
  ['kimi-k2', 131_072],
  ['kimi-k3', 262_144],
  ['kimi-for-coding', 262_144],
  ['kimi', 131_072],
  ['moonshot', 131_072],
  ['minimax-m1', 1_000_000],
  ['minimax', 196_608],
  ['llama-4-scout', 1_000_000],
  ['llama-4', 1_000_000],
  ['llama4', 1_000_000],
  ['llama-3.1', 131_072],
  ['llama-3.2', 131_072],
  ['llama-3.3', 131_072],
  ['llama3.1', 131_072],
  ['llama3.2', 131_072],
  ['llama3.3', 131_072],
  ['llama-2', 4_096],
  ['llama2', 4_096],
  ['llama', 8_192],
  ['codellama', 16_384],
  ['grok-code', 256_000],
  ['grok-4-fast', 2_000_000],
  ['grok-4-1-fast', 2_000_000],
  ['grok-4.1-fast', 2_000_000],
  ['grok-4', 256_000],
  ['grok-2-vision', 32_768],
  ['grok', 131_072],
  ['devstral', 131_072],
  ['codestral', 131_072],
  ['magistral', 40_960],
  ['mistral-large', 131_072],
  ['mistral-medium', 131_072],
  ['mistral-small', 131_072],
  ['ministral', 131_072],
  ['mixtral', 32_768],
  ['mistral', 32_768],
  ['deepseek-flash', 1_000_000],
  ['deepseek-v4', 1_000_000],
  ['deepseek-coder-v2', 128_000],
  ['deepseek-coder', 16_384],
  ['deepseek', 128_000],
  ['ernie-4.5', 131_072],
  ['ernie-5', 131_072],
  ['ernie', 32_768],
  ['doubao-seed', 131_072],
  ['doubao', 32_768],
  ['hunyuan', 32_768],
  ['seed-oss', 524_288],
  ['step-3', 65_536],
  ['phi-4', 16_384],
  ['command-a', 262_144],
  ['command-r', 131_072],
  ['nova-micro', 128_000],
  ['nova', 300_000],
];

export const DEFAULT_WINDOW = 65_536;
const SMALLEST_WINDOW = 2_000;

export function knownWindow(model: string): number | undefined {
  const name = model
    .slice(model.lastIndexOf('/') + 1)
    .toLowerCase()
    // Bedrock and Vertex put the vendor before the name.
    .replace(
      /^(?:[a-z]{2,4}\.)?(?:anthropic|meta|mistral|amazon|qwen|deepseek|openai|google|moonshotai)[.:]|^meta-(?=llama)/,
      '',
    );
  return windowIn(name) ?? KNOWN_WINDOWS.find(([prefix]) => name.startsWith(prefix))?.[1];
}

/** `yi-34b-chat-16k`; `smollm-135m` has that many parameters. */
function windowIn(name: string): number | undefined {
  const [, written] = /[-_](\d{1,4}k|[1-9]0?m)(?=$|[-_:.@])/.exec(name) ?? [];
  if (written === undefined) return undefined;
  return Number(written.slice(0, -1)) * (written.endsWith('k') ? 1_000 : 1_000_000);
}

export interface WindowSources {
  /** Set by the user, for every model or for each. */
  readonly configured: number | ((model: string) => number | undefined) | undefined;
  /** A rejection counts as unknown. */
  readonly lookUp: ((model: string) => Promise<number | undefined>) | undefined;
}

/** The windows of the models of a session: what a refusal showed, the user set, the provider lists, or the table has. */
export class ContextWindows {
  readonly #sources: WindowSources;
  readonly #learned = new Map<string, number>();
  readonly #listed = new Map<string, number | undefined>();
  readonly #answering = new Map<string, number>();

  constructor(sources: WindowSources) {
    this.#sources = sources;
  }

  known(model: string): number | undefined {
    const learned = this.#learned.get(model);
    const stated = this.#configured(model) ?? this.#unconfigured(model);
    return learned === undefined ? stated : Math.min(learned, stated ?? learned);
  }

  /** The {@link known} window, or {@link DEFAULT_WINDOW}. */
  of(model: string): number {
    return this.known(model) ?? DEFAULT_WINDOW;
  }

  #unconfigured(model: string): number | undefined {
    const known = this.#listed.get(model) ?? knownWindow(model);
    const answering = this.#answering.get(model);
    if (answering === undefined || known === undefined) return known ?? answering;
    return Math.min(known, answering);
  }

  /** Notes which model answers: a router chooses one for each request. Its smallest window counts. */
  noteAnswer(model: string, answering: string): void {
    const tokens = answering === model ? undefined : knownWindow(answering);
    if (tokens === undefined || knownWindow(model) !== undefined) return;
    this.#answering.set(model, Math.min(tokens, this.#answering.get(model) ?? tokens));
  }

  #configured(model: string): number | undefined {
    const { configured } = this.#sources;
    return typeof configured === 'function' ? configured(model) : configured;
  }

  /** Notes that the provider refused a request as too long. A limit in its message counts, else 70% of the request. */
  learn(model: string, refusal: string, requestTokens: number): void {
    const stated = limitIn(refusal);
    const limit = stated !== undefined && stated < this.of(model) ? stated : requestTokens * 0.7;
    this.#learned.set(model, Math.min(this.of(model), Math.max(SMALLEST_WINDOW, Math.floor(limit))));
  }

  /** Asks the provider, which may serve less than the model can, if so much is used; does not wait for the answer. */
  lookUp(model: string, usedTokens: number): void {
    if (usedTokens < DEFAULT_WINDOW / 4 || this.#listed.has(model) || this.#configured(model) !== undefined) return;
    this.#listed.set(model, undefined);
    this.#sources.lookUp?.(model).then(
      (tokens) => this.#listed.set(model, tokens),
      () => undefined,
    );
  }
}

/** The limit that a provider names: "maximum context length is 32768 tokens", "n_ctx: 4096", "> 200000 maximum". */
function limitIn(refusal: string): number | undefined {
  const text = refusal.replaceAll(/(?<=\d)[,_](?=\d{3})/g, '');
  const found =
    /(?:maximum|max|limit|context (?:length|size|window)|n_ctx|max_model_len)\D{0,40}?(\d{4,8})\b/i.exec(text) ??
    />\s*(\d{4,8})\s*maximum|\[1, ?(\d{4,8})\]/i.exec(text);
  const tokens = Number(found?.[1] ?? found?.[2]);
  return tokens >= SMALLEST_WINDOW ? tokens : undefined;
}
