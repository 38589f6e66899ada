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

/** Answers by question number, as the tool expects, with the previews of the chosen options. */
export function answerQuestions(
  { input }: PermissionRequest,
  answers: readonly (string | readonly string[])[],
): PermissionAnswer {
  const byNumber = Object.fromEntries(answers.map((answer, number) => [String(number), answer]));
  const { questions } = askUserInput.parse(input);
  const previews = questions.flatMap(({ question, options }, number) => {
    const preview = options.find(({ label }) => label === answers[number])?.preview;
    return preview === undefined ? [] : [[question, { preview }]];
  });
  const annotations = previews.length === 0 ? {} : { annotations: Object.fromEntries(previews) };
  return { behavior: 'allow', updatedInput: { questions, answers: byNumber, ...annotations } };
}
