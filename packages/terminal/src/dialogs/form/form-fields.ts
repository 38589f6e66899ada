import { defined } from '@qwen/protocol';
import type { Elicitation, ElicitationAnswer } from '@qwen/tools';
import * as z from 'zod/mini';

export type FormValue = NonNullable<ElicitationAnswer['content']>[string];

interface FieldWords {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly isRequired: boolean;
  /** What is sent for a field that the user leaves out. */
  readonly fallback?: string;
}

export interface FieldOption {
  readonly value: string;
  readonly label: string;
}

export type FormField =
  | (FieldWords & { readonly kind: 'text'; readonly rules: TextRules; readonly initial?: string })
  | (FieldWords & { readonly kind: 'number'; readonly rules: NumberRules; readonly initial?: string })
  | (FieldWords & { readonly kind: 'yes_no'; readonly initial?: boolean })
  | (FieldWords & { readonly kind: 'choice'; readonly options: readonly FieldOption[]; readonly initial?: string })
  | (FieldWords & {
      readonly kind: 'choices';
      readonly options: readonly FieldOption[];
      readonly initial: readonly string[];
    });

/** Lengths in UTF-16 units. */
export interface TextRules {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly format?: string | undefined;
}

export interface NumberRules {
  readonly isWhole: boolean;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
}

const titledSchema = z.lazy(() => z.array(z.looseObject({ const: z.string(), title: z.optional(z.string()) })));

const memberSchema = z.lazy(() =>
  z.looseObject({
    type: z.catch(z.string(), 'string'),
    title: z.catch(z.optional(z.string()), undefined),
    description: z.catch(z.optional(z.string()), undefined),
    enum: z.catch(z.optional(z.array(z.string())), undefined),
    enumNames: z.catch(z.optional(z.array(z.string())), undefined),
    oneOf: z.catch(z.optional(titledSchema), undefined),
    items: z.catch(
      z.optional(z.looseObject({ enum: z.optional(z.array(z.string())), anyOf: z.optional(titledSchema) })),
      undefined,
    ),
    minLength: z.catch(z.optional(z.number()), undefined),
    maxLength: z.catch(z.optional(z.number()), undefined),
    format: z.catch(z.optional(z.string()), undefined),
    minimum: z.catch(z.optional(z.number()), undefined),
    maximum: z.catch(z.optional(z.number()), undefined),
    default: z.optional(z.unknown()),
  }),
);
type Member = z.output<typeof memberSchema>;

const formSchema = z.lazy(() =>
  z.looseObject({
    properties: z.catch(z.record(z.string(), memberSchema), {}),
    required: z.catch(z.array(z.string()), []),
  }),
);

/** In the server's order. Unknown types become text fields. */
export function formFields({ requested_schema: schema }: Elicitation): readonly FormField[] {
  const { properties, required } = formSchema.parse(schema);
  return Object.entries(properties).map(([name, member]) => {
    const { title, description } = member;
    const label = title === undefined || title.trim() === '' ? name : title;
    const isRequired = required.includes(name);
    const fallback = isRequired || member.default === undefined ? undefined : JSON.stringify(member.default);
    return toField({ name, label, isRequired, ...defined({ description, fallback }) }, member);
  });
}

function toField(words: FieldWords, member: Member): FormField {
  const { type, minLength, maxLength, format, minimum, maximum, default: initial } = member;
  const options = optionsOf(member);
  if (type === 'array') {
    const ticked = z.safeParse(z.array(z.string()), initial);
    return { ...words, kind: 'choices', options, initial: ticked.success ? ticked.data : [] };
  }
  const text = typeof initial === 'string' || typeof initial === 'number' ? { initial: String(initial) } : {};
  if (options.length > 0) return { ...words, kind: 'choice', options, ...text };
  if (type === 'boolean') return { ...words, kind: 'yes_no', ...(typeof initial === 'boolean' && { initial }) };
  if (type === 'number' || type === 'integer') {
    return { ...words, kind: 'number', rules: { isWhole: type === 'integer', minimum, maximum }, ...text };
  }
  return { ...words, kind: 'text', rules: { minLength, maxLength, format }, ...text };
}

function optionsOf({ enum: values, enumNames, oneOf, items }: Member): readonly FieldOption[] {
  const titled = oneOf ?? items?.anyOf;
  if (titled !== undefined) return titled.map(({ const: value, title }) => ({ value, label: title ?? value }));
  return (values ?? items?.enum ?? []).map((value, index) => ({ value, label: enumNames?.[index] ?? value }));
}
