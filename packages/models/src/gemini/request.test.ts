import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import type { AssistantPart, ModelMessage, ModelRequest } from '../parts.js';
import { toParameters } from './request.js';

const FETCH = () => Promise.reject(new Error('nothing is sent here'));
const parametersOf = (request: Partial<ModelRequest>) =>
  toParameters({ model: 'gemini-2.5-pro', system: '', messages: [], tools: [], ...request }, FETCH);
const contentsOf = (messages: readonly ModelMessage[], model = 'gemini-2.5-pro') =>
  parametersOf({ messages, model }).contents;
const call = (id: string, signature?: string): AssistantPart => ({
  type: 'tool_call',
  id,
  name: 'f',
  input: { n: 1 },
  ...(signature !== undefined && { signature }),
});

test('a complete request', () => {
  const { config, contents } = parametersOf({
    system: 'Be brief.',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Let me see.' }, call('a'), call('b')] },
      {
        role: 'tool',
        results: [
          { callId: 'a', name: 'f', content: [{ type: 'text', text: 'one' }], isError: false },
          { callId: 'b', name: 'f', content: [{ type: 'text', text: 'broken' }], isError: true },
        ],
      },
    ],
    tools: [{ name: 'f', description: 'Does it.', inputSchema: { type: 'object' } }],
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
  });
  expect(contents).toEqual([
    { role: 'user', parts: [{ text: 'Hi' }] },
    {
      role: 'model',
      parts: [
        { text: 'Let me see.' },
        { functionCall: { id: 'a', name: 'f', args: { n: 1 } } },
        { functionCall: { id: 'b', name: 'f', args: { n: 1 } } },
      ],
    },
    {
      role: 'user',
      parts: [
        { functionResponse: { id: 'a', name: 'f', response: { output: 'one' } } },
        { functionResponse: { id: 'b', name: 'f', response: { error: 'broken' } } },
      ],
    },
  ]);
  expect(config).toMatchObject({
    systemInstruction: 'Be brief.',
    tools: [
      { functionDeclarations: [{ name: 'f', description: 'Does it.', parametersJsonSchema: { type: 'object' } }] },
    ],
    thinkingConfig: { includeThoughts: true },
    maxOutputTokens: 100,
    temperature: 0,
    topP: 0.5,
  });
});

test('thinking is sent only with a signature, and calls keep theirs', () => {
  const content: AssistantPart[] = [
    { type: 'thinking', text: 'unsigned' },
    { type: 'thinking', text: 'signed', signature: 'c2ln' },
    call('a', 'Y2FsbA=='),
  ];
  expect(contentsOf([{ role: 'assistant', content }])).toMatchObject([
    {
      parts: [
        { text: 'signed', thought: true, thoughtSignature: 'c2ln' },
        { functionCall: { id: 'a' }, thoughtSignature: 'Y2FsbA==' },
      ],
    },
    {},
  ]);
});

test('calls of other models get a placeholder signature', () => {
  const turn: ModelMessage = { role: 'assistant', content: [call('a'), call('b')] };
  const signaturesFor = (model: string) => {
    const [content] = contentsOf([turn], model) as [{ parts: { thoughtSignature?: string }[] }];
    return content.parts.map((part) => part.thoughtSignature);
  };
  expect(signaturesFor('gemini-3-pro-preview')).toEqual(['skip_thought_signature_validator', undefined]);
  expect(signaturesFor('gemini-2.5-pro')).toEqual([undefined, undefined]);
});

test('empty contents are omitted', () => {
  expect(
    contentsOf([
      { role: 'user', content: [{ type: 'text', text: '' }] },
      { role: 'assistant', content: [{ type: 'thinking', text: 'unsigned' }] },
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ]),
  ).toEqual([{ role: 'user', parts: [{ text: 'Hi' }] }]);
});

test('images are inline or linked, and images of tools follow all responses', () => {
  verifies('F76');
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  expect(
    contentsOf([
      {
        role: 'user',
        content: [
          image,
          { type: 'image_url', url: 'data:image/gif;base64,BBBB' },
          { type: 'image_url', url: 'https://x.test/i.webp?v=1' },
        ],
      },
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', results: [{ callId: 'a', name: 'f', content: [image], isError: false }] },
    ]),
  ).toMatchObject([
    {
      parts: [
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { inlineData: { mimeType: 'image/gif', data: 'BBBB' } },
        { fileData: { fileUri: 'https://x.test/i.webp?v=1', mimeType: 'image/webp' } },
      ],
    },
    {},
    {
      parts: [
        { functionResponse: { id: 'a' } },
        { functionResponse: { id: 'b', response: { error: expect.any(String) } } },
        { inlineData: {} },
      ],
    },
  ]);
});

test('thoughts are not requested from models without thinking', () => {
  expect(parametersOf({ model: 'gemini-2.0-flash' }).config).not.toHaveProperty('thinkingConfig');
  expect(parametersOf({ model: 'gemini-flash-latest' }).config).toHaveProperty('thinkingConfig');
});
