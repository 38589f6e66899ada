import * as z from 'zod/mini';

interface OpenUnionKind {
  /** Default `type`. */
  readonly member?: string;
  readonly shared?: z.core.$ZodLooseShape;
}

/** Starts the pattern of unknown kinds. */
export const UNKNOWN_KIND = '^(?!(?:';

/**
 * Objects by one member. A known kind must match its schema; an unknown one passes unchanged and is not in the type,
 * so give each `switch` a `default` that ignores it.
 */
export function openUnion<Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]>(
  kinds: readonly string[],
  options: Options,
  { member = 'type', shared = {} }: OpenUnionKind = {},
): z.ZodMiniType<z.core.output<Options[number]>, unknown> {
  // A pattern, so that JSON Schema includes it. It aborts, so that errors describe the malformed known kind.
  const unknownKind = z.string().check(z.regex(new RegExp(`${UNKNOWN_KIND}${kinds.join('|')})$)`), { abort: true }));
  return z.union([z.discriminatedUnion(member, options), z.looseObject({ ...shared, [member]: unknownKind })]) as never;
}
