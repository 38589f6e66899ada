import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { askUserInput } from '@qwen/tools';
import type * as z from 'zod/mini';

type AskedInput = z.output<typeof askUserInput>;

/** A question of the model to the person, as `ask_user_question` carries it. */
export type AskedQuestion = AskedInput['questions'][number];

/** The questions of a request that is one of the model to the person; undefined for every other request. */
export function askedQuestions({ toolName, input }: PermissionRequest): readonly AskedQuestion[] | undefined {
  if (toolName !== 'ask_user_question') return undefined;
  const parsed = askUserInput.safeParse(input);
  return parsed.success ? parsed.data.questions : undefined;
}

/** What was chosen, in the form that the tool reads: the answers by the number of their question. */
export function answerQuestions(
  { input }: PermissionRequest,
  answers: readonly (string | readonly string[])[],
): PermissionAnswer {
  const byNumber = Object.fromEntries(answers.map((answer, number) => [String(number), answer]));
  return { behavior: 'allow', updatedInput: { ...askUserInput.parse(input), answers: byNumber } };
}
