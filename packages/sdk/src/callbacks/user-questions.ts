import * as z from 'zod/mini';
import type { PermissionResult, ToolInput } from './can-use-tool.js';

const ASKING_TOOLS: ReadonlySet<string> = new Set(['ask_user_question', 'AskUserQuestion']);

/** A question of the model to the user. The answer need not be one of the options. */
export interface UserQuestion {
  question: string;
  /** A label of one or two words. */
  header?: string | undefined;
  /** `preview`: a text in the format of the option `toolConfig` that shows what the option means. */
  options: { label: string; description?: string | undefined; preview?: string | undefined }[];
  /** Whether several options may be chosen. Default: false. */
  multiSelect?: boolean | undefined;
}

const inputSchema = z.lazy(() =>
  z.object({
    questions: z.array(
      z.object({
        question: z.string(),
        header: z.optional(z.string()),
        options: z.array(
          z.object({ label: z.string(), description: z.optional(z.string()), preview: z.optional(z.string()) }),
        ),
        multiSelect: z.optional(z.boolean()),
      }),
    ),
  }),
);

/** The chosen options or free text, by the text of the question. */
export type UserAnswers = Readonly<Record<string, string | readonly string[]>>;

/**
 * The questions in a permission request; undefined if another tool made it.
 *
 * @example
 * import { type CanUseTool, userQuestionsOf } from '@qwen/sdk';
 *
 * const canUseTool: CanUseTool = async (toolName, input) => {
 *   for (const { question, options } of userQuestionsOf(toolName, input) ?? []) {
 *     console.log(question, options.map(({ label }) => label));
 *   }
 *   return { behavior: 'deny', message: 'No one can answer now. Choose yourself.' };
 * };
 */
export function userQuestionsOf(toolName: string, input: ToolInput): UserQuestion[] | undefined {
  if (!ASKING_TOOLS.has(toolName)) return undefined;
  const parsed = inputSchema.safeParse(input);
  return parsed.success ? parsed.data.questions : undefined;
}

/**
 * The value for `canUseTool` to return. The model learns which questions have no answer.
 *
 * @example
 * import { answerUserQuestions, type CanUseTool, userQuestionsOf } from '@qwen/sdk';
 *
 * const canUseTool: CanUseTool = async (toolName, input) => {
 *   const questions = userQuestionsOf(toolName, input);
 *   if (questions === undefined) return { behavior: 'allow' };
 *   return answerUserQuestions(
 *     input,
 *     Object.fromEntries(questions.map(({ question, options }) => [question, options[0]?.label ?? 'No preference'])),
 *   );
 * };
 */
export function answerUserQuestions(input: ToolInput, answers: UserAnswers): PermissionResult {
  return { behavior: 'allow', updatedInput: { ...input, answers } };
}
