// What needs Node.js: files, folders, programs.
export { createFileReferences, type FileReferencesOptions } from './references/file-references.js';
