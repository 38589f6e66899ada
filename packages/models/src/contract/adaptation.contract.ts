import { createModel, type ModelConfig, type ModelRequest } from '@qwen/models';
import { type ByteReply, startByteServer } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { collect, failureOf, partsOf, QUESTION, textOf } from '../../test/collect.js';
import { eventsOf, type FamilyUnderTest } from '../../test/families.js';

const WITH_IMAGE: ModelRequest = {
  ...QUESTION,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?' },
        { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo' },
      ],
    },
  ],
};

export function describeAdaptation(family: FamilyUnderTest): void {
  describe('adaptation', () => {
    const good: ByteReply = { chunks: [eventsOf([family.text('Hello'), ...family.finish(family.reasons.stop)])] };
    const refusal = (message: string, status = 400): ByteReply => ({
      status,
      headers: { 'content-type': 'application/json' },
      chunks: [family.errorBody(message)],
    });
    const ask = async (replies: readonly ByteReply[], more: Partial<ModelConfig> = {}, request = QUESTION) => {
      await using server = await startByteServer(replies);
      const model = await createModel({ ...family.configFor(server.url), ...more });
      const answers = [await collect(model, request), await collect(model, request)];
      return { answers, bodies: server.requests.map(({ body }) => body) };
    };

    test('configured values are sent, and those of a request are stronger', async () => {
      const more = {
        defaults: { maxOutputTokens: 1_234, temperature: 0.25 },
        extraBody: { seed: 42, stream_options: null, metadata: { user_id: 'u' } },
      };
      const { bodies } = await ask([good], more, { ...QUESTION, maxOutputTokens: 777 });
      expect(bodies[0]).toMatch(/"seed":42/);
      expect(bodies[0]).toMatch(/0\.25/);
      expect(bodies[0]).toContain('777');
      expect(bodies[0]).not.toMatch(/1234|stream_options/);
    });

    test('an optional member that the endpoint refuses by name is omitted from then on', async () => {
      const extraBody = { top_p: 0.5 };
      const { answers, bodies } = await ask([refusal("Unsupported parameter: 'top_p'."), good], { extraBody });
      expect(answers.map(textOf)).toEqual(['Hello', 'Hello']);
      expect(bodies.map((body) => body.includes('"top_p"'))).toEqual([true, false, false]);
      expect(partsOf(answers[0] ?? [], 'retry')).toMatchObject([{ delayMs: 0, error: { code: 'invalid_request' } }]);
    });

    test.for([
      "'top_p' cannot be used with this model",
      'Model x does not support parameter topP.',
      '不支持的参数: top_p',
      'parameter.top_p must be set to 1',
      'top_p: Extra inputs are not permitted',
      'extraneous key [top_p] is not permitted',
    ])('the refusal may have other texts: %s', async (message) => {
      const { bodies } = await ask([refusal(message), good], { extraBody: { top_p: 0.5 } });
      expect(bodies.map((body) => body.includes('"top_p"'))).toEqual([true, false, false]);
    });

    test('a refusal of anything else is final', async () => {
      const extraBody = { top_p: 0.5 };
      const { answers, bodies } = await ask([refusal('Invalid messages: the roles must alternate.')], { extraBody });
      expect(failureOf(answers[0] ?? []).code).toBe('invalid_request');
      expect(bodies).toHaveLength(2);
    });

    test.for([
      [400, 'This model does not support image input.'],
      [404, 'No endpoints found that support image input'],
      [500, 'image input is not supported - hint: you may need to provide the mmproj'],
    ] as const)('images are left out after a refusal (%i)', async ([status, message]) => {
      const { answers, bodies } = await ask([refusal(message, status), good], {}, WITH_IMAGE);
      expect(answers.map(textOf)).toEqual(['Hello', 'Hello']);
      expect(bodies.map((body) => body.includes('iVBORw0KGgo'))).toEqual([true, false, false]);
      expect(bodies[1]).toContain('The model does not accept images.');
      expect(bodies[1]).toContain('What is this?');
    });

    test.for([
      "This model's maximum context length is 32768 tokens. However, you requested 41,000 tokens (9,000 in the messages, 32,000 in the completion).",
      'input length and `max_tokens` exceed context limit: 9000 + 32000 > 32768, decrease one of them and try again',
    ])('a limit of the answer that does not fit into the window beside the prompt is lowered: %s', async (message) => {
      const { answers, bodies } = await ask([refusal(message), good], { extraBody: { max_tokens: 32_000 } });
      expect(answers.map(textOf)).toEqual(['Hello', 'Hello']);
      expect(bodies[1]).toContain('"max_tokens":17826');
    });

    test('a prompt that leaves no room for an answer is too long', async () => {
      const message =
        'maximum context length is 32768 tokens, you requested 64000 tokens (32000 in the messages, 32000 in the completion)';
      const { answers } = await ask([refusal(message)], { extraBody: { max_tokens: 32_000 } });
      expect(failureOf(answers[0] ?? []).code).toBe('context_overflow');
    });

    test('a lower limit of tokens that the endpoint names is used', async () => {
      const message = 'max_tokens: 32000 > 8192, which is the maximum allowed number of output tokens';
      const extraBody = { max_tokens: 32_000 };
      const { answers, bodies } = await ask([refusal(message), good], { extraBody });
      expect(answers.map(textOf)).toEqual(['Hello', 'Hello']);
      expect(bodies[1]).toContain('"max_tokens":8192');
    });
  });
}
