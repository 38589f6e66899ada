import { type EffortWords, effortWords } from '../effort.js';

/** Where endpoints deviate in what they accept. What they send is read leniently for all of them. */
export interface Quirks {
  /** The member that caps the answer: OpenAI's reasoning models refuse the old name, most others the new one. */
  readonly tokenCap: 'max_tokens' | 'max_completion_tokens';
  /** Whether usage must be asked for. Mistral sends it unasked and answers 422 to the question. */
  readonly asksForUsage: boolean;
  /**
   * Whether every assistant message must repeat its thinking as `reasoning_content`. DeepSeek and Kimi answer 400 to a
   * history whose tool calls lack it; others do not want it.
   */
  readonly returnsThinking: boolean;
  /** How the model is told how much to think; undefined when it cannot be. */
  readonly effort: EffortWords | undefined;
}

/** What to do for this host and model. Gateways are told by the model's name. */
export function quirksOf(host: string, model: string): Quirks {
  return {
    tokenCap: isUnder(host, 'openai.com') ? 'max_completion_tokens' : 'max_tokens',
    asksForUsage: !isUnder(host, 'mistral.ai'),
    effort: effortWords({ family: 'openai-compatible', baseUrl: `https://${host}` }, model),
    returnsThinking:
      /deepseek|kimi/i.test(model) ||
      ['deepseek.com', 'moonshot.ai', 'moonshot.cn'].some((domain) => isUnder(host, domain)),
  };
}

function isUnder(host: string, domain: string): boolean {
  return host === domain || host.endsWith(`.${domain}`);
}
