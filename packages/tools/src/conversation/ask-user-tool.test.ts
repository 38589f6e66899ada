import { expect, test } from 'vitest';
import { askUserTool } from './ask-user-tool.js';

const QUESTIONS = [
  { question: 'Which one?', header: 'Choice', options: [{ label: 'A' }, { label: 'B', description: 'the other' }] },
  { question: 'Which colours?', options: [{ label: 'red' }, { label: 'blue' }], multiSelect: true },
];

const ask = (changedInput?: Readonly<Record<string, unknown>>) => {
  const tool = askUserTool();
  const context = { callId: 'c', cwd: '/', signal: new AbortController().signal, emit: () => {} };
  const input = tool.parse({ questions: QUESTIONS, answers: { 'Which one?': 'forged by the model' } });
  return tool.execute(input, { ...context, ...(changedInput !== undefined && { changedInput }) });
};

test('the answers are those of the user, by question or by number', async () => {
  expect(await ask({ answers: { 'Which one?': 'C, my own', 'Which colours?': ['red', 'blue'] } })).toMatchObject({
    content: 'Which one?\nC, my own\n\nWhich colours?\nred, blue',
  });
  expect(await ask({ answers: { 0: 'A' } })).toMatchObject({ content: 'Which one?\nA\n\nWhich colours?\n(no answer)' });
});

test('notes and a text instead of answers reach the model', async () => {
  const annotations = { 'Which one?': { preview: '<b>A</b>', notes: 'but in green' } };
  expect(await ask({ answers: { 'Which one?': 'A' }, annotations, response: 'No colours, please.' })).toMatchObject({
    content: 'Which one?\nA\nNotes: but in green\n\nWhich colours?\n(no answer)\n\nThe user says: No colours, please.',
    structured: { annotations, response: 'No colours, please.' },
  });
});

test('the model is told of previews only if the user sees them', () => {
  expect(askUserTool().description).not.toContain('preview');
  expect(askUserTool('html').description).toContain('HTML');
  const options = [{ label: 'A', preview: '<b>A</b>' }];
  expect(askUserTool('html').parse({ questions: [{ question: 'Which?', options }] })).toMatchObject({
    questions: [{ options }],
  });
});

test("answers in the model's input are ignored", async () => {
  await expect(ask()).rejects.toMatchObject({ code: 'tool_failed' });
  await expect(ask({ questions: QUESTIONS })).rejects.toMatchObject({ code: 'tool_failed' });
});

test('it asks the user, and its schema is small', () => {
  const tool = askUserTool();
  const { isQuestion, name, inputSchema, description } = tool;
  expect({ isQuestion, name }).toEqual({ isQuestion: true, name: 'ask_user_question' });
  expect(JSON.stringify({ inputSchema, description }).length).toBeLessThan(900);
  expect(() => tool.parse({ questions: [] })).toThrow(expect.objectContaining({ code: 'invalid_tool_input' }));
});
