/** Separates the files that a prompt references from the user's text. */
export const FILES_HEADING = 'Files referenced in the message above:';
