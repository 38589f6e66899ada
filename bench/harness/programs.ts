import { join } from 'node:path';

/**
 * The path of one of the small programs that are measured from outside. They are plain JavaScript: stripping types
 * would add to each start what no published app pays.
 */
export const programPath = (name: string): string => join(import.meta.dirname, '..', 'programs', `${name}.mjs`);
