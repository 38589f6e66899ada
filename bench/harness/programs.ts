import { join } from 'node:path';

/** Plain JavaScript: type stripping would slow the start, unlike in published apps. */
export const programPath = (name: string): string => join(import.meta.dirname, '..', 'programs', `${name}.mjs`);
