import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { askUserInput } from '@qwen/tools';
import type * as z from 'zod/mini';

type AskedInput = z.output<typeof askUserInput>;

export type AskedQuestion = AskedInput['questions'][number];

/** Undefined for other requests. */
export function askedQuestions({ toolName, input }: PermissionRequest): readonly AskedQuestion[] | undefined {
  if (toolName !== 'ask_user_question') return undefined;
  const parsed = askUserInput.safeParse(input);
  return parsed.success ? parsed.data.questions : undefined;
}

/** Answers by question number, as the tool expects. */
export function answerQuestions(
  { input }: PermissionRequest,
  answers: readonly (string | readonly string[])[],
): PermissionAnswer {
  const byNumber = Object.fromEntries(answers.map((answer, number) => [String(number), answer]));
  return { behavior: 'allow', updatedInput: { ...askUserInput.parse(input), answers: byNumber } };
}
