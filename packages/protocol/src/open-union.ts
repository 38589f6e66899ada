import * as z from 'zod/mini';

/**
 * Objects told apart by `type`. One of a kind that we know must fit its schema; one of a kind that we do not know
 * passes as it came and is not in the inferred type: end a `switch` over `type` with a `default` that
 * ignores.
 */
export function openUnion<Options extends readonly [z.core.$ZodTypeDiscriminable, ...z.core.$ZodTypeDiscriminable[]]>(
  kinds: readonly string[],
  options: Options,
): z.ZodMiniType<z.core.output<Options[number]>, unknown> {
  // A pattern and not a check, so that JSON Schema says it too. It aborts, so that what is reported about a
  // malformed known kind is what is wrong with it.
  const unknownKind = z.string().check(z.regex(new RegExp(`^(?!(?:${kinds.join('|')})$)`), { abort: true }));
  return z.union([z.discriminatedUnion('type', options), z.looseObject({ type: unknownKind })]) as never;
}
