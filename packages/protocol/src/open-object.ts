import * as z from 'zod/mini';

/**
 * Schema of an object from another program: unknown members pass at run time, but are not in the type, so a typo
 * here does not compile.
 */
export function openObject<Shape extends z.core.$ZodLooseShape>(shape: Shape): z.ZodMiniObject<Shape, z.core.$strip> {
  return z.looseObject(shape) as never;
}
