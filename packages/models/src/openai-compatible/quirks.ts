import { type EffortSetting, effortSetting } from '../effort.js';

/** Request differences between endpoints. */
export interface Quirks {
  /** OpenAI's reasoning models reject the old name. */
  readonly tokenCap: 'max_tokens' | 'max_completion_tokens';
  /** Mistral returns 422 to the option and sends usage anyway. */
  readonly asksForUsage: boolean;
  /** DeepSeek and Kimi return 400 unless assistant messages repeat their thinking; others answer better with it. */
  readonly returnsThinking: 'always' | 'if-any' | 'never';
  /** OpenRouter: the reasoning of any provider, with its signatures. */
  readonly returnsDetails: boolean;
  /** Gemini through the OpenAI protocol: calls carry `extra_content.google.thought_signature`. */
  readonly returnsCallSignatures: boolean;
  /** Content blocks with `cache_control`. Elsewhere caches need no markers. */
  readonly marksCache: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly effort: EffortSetting | undefined;
}

const RETURNS_THINKING = /glm-[4-9]|minimax|mimo|qwen.*thinking|gpt-oss|step-3/i;
/** OpenRouter passes markers on to these, which its own names may stand for; the others cache automatically. */
const MARKED_AT_OPENROUTER = /^(anthropic|google|qwen|openrouter)\//;

/** Gateways are recognized by the model name. */
export function quirksOf(host: string, model: string, promptCache: 'auto' | 'off' = 'auto'): Quirks {
  const isDashScope = isUnder(host, 'aliyuncs.com');
  const isOpenRouter = isUnder(host, 'openrouter.ai');
  const isGoogle = isUnder(host, 'googleapis.com');
  const marksCache = promptCache === 'auto' && (isDashScope || (isOpenRouter && MARKED_AT_OPENROUTER.test(model)));
  return {
    tokenCap: isUnder(host, 'openai.com') ? 'max_completion_tokens' : 'max_tokens',
    asksForUsage: !isUnder(host, 'mistral.ai'),
    effort: effortSetting({ family: 'openai-compatible', baseUrl: `https://${host}` }, model),
    returnsThinking: toReturnsThinking(host, model),
    returnsDetails: isOpenRouter,
    returnsCallSignatures: isGoogle || /gemini/i.test(model),
    marksCache,
    headers: marksCache && isDashScope ? { 'X-DashScope-CacheControl': 'enable' } : {},
  };
}

function toReturnsThinking(host: string, model: string): Quirks['returnsThinking'] {
  const needsIt = ['deepseek.com', 'moonshot.ai', 'moonshot.cn'].some((domain) => isUnder(host, domain));
  if (needsIt || /deepseek|kimi/i.test(model)) return 'always';
  // OpenAI refuses the member.
  return RETURNS_THINKING.test(model) && !isUnder(host, 'openai.com') ? 'if-any' : 'never';
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
