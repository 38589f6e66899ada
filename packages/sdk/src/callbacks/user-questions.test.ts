import { expect, test } from 'vitest';
import { answerUserQuestions, userQuestionsOf } from './user-questions.js';

const input = { questions: [{ question: 'Which?', options: [{ label: 'This' }, { label: 'That' }] }], other: 1 };

test('questions are read from a call of the asking tool, under either name, and from no other', () => {
  expect(userQuestionsOf('ask_user_question', input)).toEqual(input.questions);
  expect(userQuestionsOf('AskUserQuestion', input)).toEqual(input.questions);
  expect(userQuestionsOf('edit', input)).toBeUndefined();
  expect(userQuestionsOf('ask_user_question', { questions: 'Which?' })).toBeUndefined();
});

test('an answer allows the call and adds the answers to its input', () => {
  expect(answerUserQuestions(input, { 'Which?': ['This', 'That'] })).toEqual({
    behavior: 'allow',
    updatedInput: { ...input, answers: { 'Which?': ['This', 'That'] } },
  });
});
