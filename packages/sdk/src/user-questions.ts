import * as z from 'zod/mini';
import type { PermissionResult, ToolInput } from './permissions.js';

/** The tool by which the model asks the person; peers call it by the second name. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['ask_user_question', 'AskUserQuestion']);

const questionSchema = z.object({
  question: z.string(),
  /** A word or two to stand above the question. */
  header: z.optional(z.string()),
  options: z.array(z.object({ label: z.string(), description: z.optional(z.string()) })),
  /** Whether several options may be chosen. Default false. */
  multiSelect: z.optional(z.boolean()),
});
const inputSchema = z.object({ questions: z.array(questionSchema) });

/** One question of the model to the person. An answer need not be one of the options. */
export type UserQuestion = z.infer<typeof questionSchema>;

/** For each question, by its text, what was chosen or written. */
export type UserAnswers = Readonly<Record<string, string | readonly string[]>>;

/** The questions that a permission callback is asked to answer; undefined when the tool is another one. */
export function userQuestionsOf(toolName: string, input: ToolInput): UserQuestion[] | undefined {
  if (!ASKING_TOOLS.has(toolName)) return undefined;
  const parsed = inputSchema.safeParse(input);
  return parsed.success ? parsed.data.questions : undefined;
}

/** What a permission callback returns to answer them. A question without an answer is told to the model as such. */
export function answerUserQuestions(input: ToolInput, answers: UserAnswers): PermissionResult {
  return { behavior: 'allow', updatedInput: { ...input, answers } };
}
