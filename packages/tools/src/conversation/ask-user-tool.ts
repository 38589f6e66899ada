import type { Tool } from '@qwen/agent';
import { AgentError, defined } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool, type StructuredToolResult } from '../define-tool.js';

export const askUserInput = z.lazy(() =>
  z.object({
    questions: z
      .array(
        z.object({
          question: z.string().check(z.minLength(1)),
          header: z.optional(z.string()),
          options: z.array(
            z.object({
              label: z.string().check(z.minLength(1)),
              description: z.optional(z.string()),
              preview: z.optional(z.string()),
            }),
          ),
          multiSelect: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1), z.maxLength(4)),
  }),
);
type Input = z.output<typeof askUserInput>;

/** Keyed by question or its index. */
const answered = z.looseObject({
  answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  /** A text instead of answers. */
  response: z.optional(z.string()),
  annotations: z.optional(
    z.record(z.string(), z.looseObject({ preview: z.optional(z.string()), notes: z.optional(z.string()) })),
  ),
});

export type PreviewFormat = 'markdown' | 'html';

const PREVIEWS: Readonly<Record<PreviewFormat, string>> = {
  markdown: 'Give options that are easier to see than to describe a preview in Markdown, such as a mockup or code.',
  html: 'Give options that are easier to see than to describe a preview: an HTML fragment with inline styles, without scripts.',
};

/**
 * Every call goes to the permission handler, which answers by adding `answers` to the input. The model learns of
 * previews only if the handler shows them.
 */
export function askUserTool(previews?: PreviewFormat): Tool<Input> {
  const description = 'Ask the user when you cannot decide yourself. Put your recommendation first.';
  return defineTool({
    name: 'ask_user_question',
    description: previews === undefined ? description : `${description} ${PREVIEWS[previews]}`,
    input: askUserInput,
    isQuestion: true,
    execute: async ({ questions }, { changedInput }) => toResult(questions, changedInput),
  });
}

function toResult(questions: Input['questions'], changedInput: unknown): StructuredToolResult<'ask_user_question'> {
  const parsed = z.safeParse(answered, changedInput);
  if (!parsed.success) throw new AgentError('tool_failed', 'The user did not answer the question.');
  const { response, annotations } = parsed.data;
  const answers = new Map(Object.entries(parsed.data.answers));
  const given = questions.flatMap(({ question }, index): [string, string][] => {
    const answer = answers.get(question) ?? answers.get(String(index));
    return answer === undefined ? [] : [[question, [answer].flat().join(', ')]];
  });
  const byQuestion = new Map(given);
  const lines = questions.map(({ question }) => {
    const notes = annotations?.[question]?.notes;
    return `${question}\n${byQuestion.get(question) ?? '(no answer)'}${notes ? `\nNotes: ${notes}` : ''}`;
  });
  const structured = { questions, answers: Object.fromEntries(given), ...defined({ response, annotations }) };
  return { content: [...lines, ...(response ? [`The user says: ${response}`] : [])].join('\n\n'), structured };
}
