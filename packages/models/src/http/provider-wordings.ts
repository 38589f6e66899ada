import type { ErrorCode } from '@qwen/protocol';

interface Wording {
  readonly code: ErrorCode;
  /** Statuses under which the words mean this. */
  readonly statuses: readonly number[];
  /** Looked for in the provider's code and message. */
  readonly words: RegExp;
}

/**
 * Meanings that providers put into words because HTTP has no status for them. First match wins. Seen at OpenAI,
 * Azure, DashScope, DeepSeek, vLLM, llama.cpp, Mistral, OpenRouter and Gemini (F77).
 */
const WORDINGS: readonly Wording[] = [
  {
    code: 'context_overflow',
    statuses: [400, 413, 422, 500],
    words:
      /context_length_exceeded|exceed_context_size|context (length|size|window)|prompt is too long|too many (input )?tokens|range of input length|exceeds the maximum number of tokens|reduce the length of the (messages|prompt|input)/i,
  },
  {
    code: 'content_filtered',
    statuses: [400, 403],
    words: /content_filter|data_?inspection_?failed|content management policy|flagged for moderation/i,
  },
  { code: 'permission_refused', statuses: [400, 429], words: /insufficient_quota|arrearage|insufficient.balance/i },
  { code: 'auth_failed', statuses: [400], words: /api_key_invalid|api key not valid|invalid.api.?key/i },
  {
    code: 'model_not_found',
    statuses: [400],
    words: /model_not_found|model\b.{0,120}\b(does not exist|not found|not exist)|unknown model/i,
  },
];

/** The code that the provider's words stand for; undefined when they say nothing special. */
export function codeOfWording(status: number, words: string): ErrorCode | undefined {
  return WORDINGS.find((wording) => wording.statuses.includes(status) && wording.words.test(words))?.code;
}
