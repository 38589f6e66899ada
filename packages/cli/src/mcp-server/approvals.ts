import type { PermissionAnswer, PermissionRequest } from '@qwen/agent';
import { type AskedQuestion, questionForm } from '../acp/question-form.js';
import { describeCall } from '../acp/tool-calls.js';

/** A form of the client's user, as in `elicitation/create`. */
export interface Form {
  readonly message: string;
  readonly requestedSchema: {
    readonly type: 'object';
    readonly properties: Readonly<Record<string, FormField>>;
    readonly required: string[];
  };
}

type FormField =
  | { readonly type: 'string'; readonly title: string; readonly description?: string; readonly enum?: string[] }
  | {
      readonly type: 'array';
      readonly title: string;
      readonly description?: string;
      readonly items: { readonly type: 'string'; readonly enum: string[] };
    };

type Answers = Readonly<Record<string, unknown>>;

/** A question and how to read its answer; undefined: the user did not accept the form. */
export interface Approval {
  readonly form: Form;
  readonly read: (answers: Answers | undefined) => PermissionAnswer;
}

const DECISION = 'decision';
const DECLINED: PermissionAnswer = { behavior: 'deny', message: 'The user declined.' };
const MAX_SHOWN_LENGTH = 4000;

export function approvalOf(request: PermissionRequest, cwd: string): Approval {
  return request.toolName === 'ask_user_question' ? questionsOf(request) : permissionOf(request, cwd);
}

/** Only an exact choice allows anything. */
function permissionOf({ toolName, input, reason, preview, suggestions }: PermissionRequest, cwd: string): Approval {
  const rules = suggestions.find(({ type, rules: own = [] }) => type === 'allow' && own.length > 0)?.rules ?? [];
  const isPlan = preview.type === 'plan';
  const always = `Allow ${rules.join(', ')} for this run`;
  const allowed: Readonly<Record<string, PermissionAnswer>> = {
    'Allow once': { behavior: 'allow' },
    ...(rules.length > 0 &&
      !isPlan && {
        [always]: {
          behavior: 'allow',
          updatedPermissions: [{ type: 'addRules', behavior: 'allow', rules: [...rules], destination: 'session' }],
        },
      }),
  };
  const { title } = describeCall({ name: toolName, input }, cwd);
  const shown = isPlan ? preview.plan : preview.type === 'edit' ? preview.diff : JSON.stringify(input, undefined, 2);
  const message = [`qwen asks to run ${toolName}: ${title}`, reason, cut(shown)].filter((text) => text !== '');
  return {
    form: {
      message: message.join('\n\n'),
      requestedSchema: {
        type: 'object',
        properties: { [DECISION]: { type: 'string', title: 'Decision', enum: [...Object.keys(allowed), 'Deny'] } },
        required: [DECISION],
      },
    },
    read: (answers) => {
      const decision = answers?.[DECISION];
      const answer = typeof decision === 'string' && Object.hasOwn(allowed, decision) ? allowed[decision] : undefined;
      return answer ?? DECLINED;
    },
  };
}

function questionsOf(request: PermissionRequest): Approval {
  const { read, ...form } = questionForm(request, toField);
  return { form, read: (content) => (content === undefined ? DECLINED : read(content)) };
}

function toField({ question, header, options, multiSelect }: AskedQuestion): FormField {
  const words = { title: header ?? question, description: question };
  if (options.length === 0) return { type: 'string', ...words };
  const labels = options.map(({ label }) => label);
  return multiSelect === true
    ? { type: 'array', ...words, items: { type: 'string', enum: labels } }
    : { type: 'string', ...words, enum: labels };
}

function cut(text: string): string {
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
}
