import * as z from 'zod/mini';

/**
 * An object schema for what a peer sends: members we do not know pass through at run time (a newer peer must not
 * break us) but are not part of the inferred type, so a typo in our own code still fails to compile.
 */
export function openObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape) as never;
}
