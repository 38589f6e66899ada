import * as z from 'zod/mini';

export interface CallView {
  /** One line; may be empty. */
  readonly subject: string;
  readonly detail: CallDetail;
  /** Members of the input that the details do not show, as JSON; may be empty. */
  readonly rest: string;
}

export type CallDetail =
  | { readonly kind: 'command'; readonly command: string; readonly folder: string | undefined }
  | {
      readonly kind: 'edit';
      readonly path: string;
      readonly before: string;
      readonly after: string;
      /** How often the text is to occur in the file; undefined: any number. */
      readonly count: number | undefined;
    }
  | { readonly kind: 'write'; readonly path: string; readonly content: string }
  | { readonly kind: 'plan'; readonly plan: string }
  | { readonly kind: 'questions'; readonly questions: readonly AskedQuestion[] }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | { readonly kind: 'task'; readonly prompt: string }
  | { readonly kind: 'other'; readonly text: string };

const questionSchema = z.object({
  question: z.string(),
  header: z.optional(z.string()),
  options: z.array(z.object({ label: z.string(), description: z.optional(z.string()) })),
  multiSelect: z.optional(z.boolean()),
});
export type AskedQuestion = z.infer<typeof questionSchema>;

const todoSchema = z.object({ content: z.string(), status: z.enum(['pending', 'in_progress', 'completed']) });
export type Todo = z.infer<typeof todoSchema>;

const commandSchema = z.object({ command: z.string(), directory: z.optional(z.string()) });
const editSchema = z.object({
  file_path: z.string(),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.optional(z.boolean()),
  expected_replacements: z.optional(z.number()),
});
const writeSchema = z.object({ file_path: z.string(), content: z.string() });
const planSchema = z.object({ plan: z.string() });
const questionsSchema = z.object({ questions: z.array(questionSchema) });
const todosSchema = z.object({ todos: z.array(todoSchema) });
const taskSchema = z.object({ description: z.optional(z.string()), prompt: z.string() });
const subjectSchema = z.union([
  z.object({ file_path: z.string() }),
  z.object({ path: z.string() }),
  z.object({ pattern: z.string() }),
  z.object({ url: z.string() }),
]);

/** Invalid input is shown as JSON. */
export function describeCall(name: string, input: unknown): CallView {
  const known = describeKnown(name, input);
  if (known === undefined) {
    return { subject: subjectOf(input), detail: { kind: 'other', text: toText(input) }, rest: '' };
  }
  const rest = Object.entries(Object(input)).filter(([member]) => SHOWN_MEMBERS.get(name)?.includes(member) !== true);
  return { ...known, rest: rest.length === 0 ? '' : toText(Object.fromEntries(rest)) };
}

/** By tool. */
const SHOWN_MEMBERS: ReadonlyMap<string, readonly string[]> = new Map([
  ['run_shell_command', ['command', 'directory']],
  ['edit', ['file_path', 'old_string', 'new_string']],
  ['write_file', ['file_path', 'content']],
  ['exit_plan_mode', ['plan']],
  ['ask_user_question', ['questions']],
  ['todo_write', ['todos']],
  ['task', ['prompt']],
]);

function describeKnown(name: string, input: unknown): Omit<CallView, 'rest'> | undefined {
  switch (name) {
    case 'run_shell_command': {
      const { data } = z.safeParse(commandSchema, input);
      if (data === undefined) return undefined;
      const { command, directory: folder } = data;
      return { subject: firstLine(command), detail: { kind: 'command', command, folder } };
    }
    case 'edit': {
      const { data } = z.safeParse(editSchema, input);
      if (data === undefined) return undefined;
      const { file_path: path, old_string: before, new_string: after } = data;
      const { replace_all: all, expected_replacements: count = all === true ? undefined : 1 } = data;
      return { subject: path, detail: { kind: 'edit', path, before, after, count } };
    }
    case 'write_file': {
      const { data } = z.safeParse(writeSchema, input);
      if (data === undefined) return undefined;
      return { subject: data.file_path, detail: { kind: 'write', path: data.file_path, content: data.content } };
    }
    case 'exit_plan_mode': {
      const { data } = z.safeParse(planSchema, input);
      return data && { subject: 'plan', detail: { kind: 'plan', plan: data.plan } };
    }
    case 'ask_user_question': {
      const { data } = z.safeParse(questionsSchema, input);
      return data && { subject: data.questions[0]?.question ?? '', detail: { kind: 'questions', ...data } };
    }
    case 'todo_write': {
      const { data } = z.safeParse(todosSchema, input);
      if (data === undefined) return undefined;
      const done = data.todos.filter(({ status }) => status === 'completed').length;
      return { subject: `${done} of ${data.todos.length} done`, detail: { kind: 'todos', ...data } };
    }
    case 'task': {
      const { data } = z.safeParse(taskSchema, input);
      return data && { subject: data.description ?? '', detail: { kind: 'task', prompt: data.prompt } };
    }
    default:
      return undefined;
  }
}

function subjectOf(input: unknown): string {
  const { data } = z.safeParse(subjectSchema, input);
  return data === undefined ? '' : firstLine(Object.values(data)[0] ?? '');
}

function toText(input: unknown): string {
  return typeof input === 'string' ? input : (JSON.stringify(input, undefined, 2) ?? '');
}

function firstLine(text: string): string {
  const [line = '', ...more] = text.split('\n');
  return more.length === 0 ? line : `${line} …`;
}
