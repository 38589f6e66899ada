import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { askUserInput } from '@qwen/tools';

type AskedQuestions = ReturnType<typeof askUserInput.parse>['questions'];

export type AskedQuestion = AskedQuestions[number];

/** The questions of `ask_user_question` as one form, with a field per question, named by its index. */
export function questionForm<Field>({ input }: PermissionRequest, toField: (question: AskedQuestion) => Field) {
  const { questions } = askUserInput.parse(input);
  const properties = Object.fromEntries(questions.map((question, index) => [String(index), toField(question)]));
  return {
    message: questions.map(({ question }) => question).join('\n'),
    requestedSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
    read: (content: Readonly<Record<string, unknown>>): PermissionAnswer => {
      const answers = Object.entries(content).map(([index, value]) => [
        index,
        Array.isArray(value) ? value.map(String) : String(value),
      ]);
      return { behavior: 'allow', updatedInput: { questions, answers: Object.fromEntries(answers) } };
    },
  };
}
