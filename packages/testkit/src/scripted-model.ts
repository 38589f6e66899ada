import { type ChatCompletionRequest, type FixtureResponse, LLMock } from '@copilotkit/aimock';

export type ScriptedReply = FixtureResponse | ((request: ChatCompletionRequest) => FixtureResponse);

export interface ScriptedModelOptions {
  readonly tokensPerSecond?: number | undefined;
}

export interface ScriptedModel extends AsyncDisposable {
  /** OpenAI-compatible base URL with `/v1`. */
  readonly baseUrl: string;
  readonly env: Readonly<Record<string, string>>;
  readonly requests: readonly ChatCompletionRequest[];
  readonly mock: LLMock;
}

/**
 * A loopback HTTP server that answers like OpenAI and Gemini: reply n answers request n, the last one all later
 * requests. Close it with `await using`.
 */
export async function startScriptedModel(
  replies: readonly ScriptedReply[],
  options: ScriptedModelOptions = {},
): Promise<ScriptedModel> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1', chunkSize: 12 });
  const requests: ChatCompletionRequest[] = [];
  const pace = options.tokensPerSecond === undefined ? {} : { streamingProfile: { tps: options.tokensPerSecond } };
  const answer = (request: ChatCompletionRequest) => {
    requests.push(request);
    const reply = replies[Math.min(requests.length, replies.length) - 1];
    if (reply === undefined) throw new Error('the scripted model has no replies');
    return typeof reply === 'function' ? reply(request) : reply;
  };
  mock.on({ predicate: () => true }, answer, pace);
  await mock.start();
  const baseUrl = `${mock.url}/v1`;
  return {
    baseUrl,
    env: { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'sk-scripted', OPENAI_MODEL: 'scripted' },
    requests,
    mock,
    [Symbol.asyncDispose]: () => mock.stop(),
  };
}

export const says = (text: string): FixtureResponse => ({ content: text });

/** The ids are `call_1`, `call_2` … unless given. */
export const calls = (...toolCalls: readonly { name: string; input: unknown; id?: string }[]): FixtureResponse => ({
  toolCalls: toolCalls.map(({ name, input, id }, index) => ({
    id: id ?? `call_${index + 1}`,
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
  })),
});

export function lastText({ messages }: ChatCompletionRequest): string {
  const content = messages.at(-1)?.content ?? '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? '').join('');
}
