import type { Tool, ToolResult } from '@qwen/agent';
import { AgentError } from '@qwen/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../define-tool.js';

export const askUserInput = z.lazy(() =>
  z.object({
    questions: z
      .array(
        z.object({
          question: z.string().check(z.minLength(1)),
          header: z.optional(z.string()),
          options: z.array(z.object({ label: z.string().check(z.minLength(1)), description: z.optional(z.string()) })),
          multiSelect: z.optional(z.boolean()),
        }),
      )
      .check(z.minLength(1), z.maxLength(4)),
  }),
);
type Input = z.output<typeof askUserInput>;

/** Keyed by question or its index. */
const answered = z.looseObject({ answers: z.record(z.string(), z.union([z.string(), z.array(z.string())])) });

/** Every call goes to the permission handler, which answers by adding `answers` to the input. */
export function askUserTool(): Tool<Input> {
  return defineTool({
    name: 'ask_user_question',
    description: 'Ask the user when you cannot decide yourself. Put your recommendation first.',
    input: askUserInput,
    isQuestion: true,
    execute: async ({ questions }, { changedInput }) => toResult(questions, changedInput),
  });
}

function toResult(questions: Input['questions'], changedInput: unknown): ToolResult {
  const parsed = z.safeParse(answered, changedInput);
  if (!parsed.success) throw new AgentError('tool_failed', 'The user did not answer the question.');
  const { answers } = parsed.data;
  const lines = questions.map(({ question }, index) => {
    const answer = answers[question] ?? answers[String(index)];
    return `${question}\n${answer === undefined ? '(no answer)' : [answer].flat().join(', ')}`;
  });
  return { content: lines.join('\n\n') };
}
