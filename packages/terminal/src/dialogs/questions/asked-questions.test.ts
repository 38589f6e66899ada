import type { PermissionRequest } from '@qwen/agent';
import { askUserTool } from '@qwen/tools';
import { expect, test } from 'vitest';
import { answerQuestions, askedQuestions } from './asked-questions.js';

const input = {
  questions: [
    { question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] },
    { question: 'Which colours?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: true },
  ],
};
const request: PermissionRequest = {
  toolName: 'ask_user_question',
  callId: 'call_1',
  input,
  suggestions: [],
  blockedPath: null,
  reason: 'A question.',
  preview: { type: 'info', prompt: '', urls: [] },
};

test('reads questions only from the question tool', () => {
  expect(askedQuestions(request)).toEqual(input.questions);
  expect(askedQuestions({ ...request, toolName: 'read_file' })).toBeUndefined();
  expect(askedQuestions({ ...request, input: { questions: 'none' } })).toBeUndefined();
});

test('returns answers in a form that the tool accepts', async () => {
  const answer = answerQuestions(request, ['my own', ['red', 'blue']]);
  const changedInput = answer.behavior === 'allow' ? answer.updatedInput : undefined;
  const tool = askUserTool();
  const context = { callId: 'c', cwd: '/', signal: new AbortController().signal, emit: () => {} };
  const changed = changedInput === undefined ? {} : { changedInput };
  expect(await tool.execute(tool.parse(changedInput), { ...context, ...changed })).toMatchObject({
    content: 'Which one?\nmy own\n\nWhich colours?\nred, blue',
  });
});
