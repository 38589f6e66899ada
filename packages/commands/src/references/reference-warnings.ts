import type { ReferenceWarning } from './expanded-prompt.js';

type Code = ReferenceWarning['code'];

/** What is said of one path; the others are about more than a path. */
const SENTENCES: Readonly<Record<Exclude<Code, 'unreadable'>, (path: string) => string>> = {
  missing: (path) => `There is no file or folder ${path}.`,
  outside: (path) => `${path} lies outside of the workspace and was not read.`,
  ignored: (path) => `${path} is left out by .gitignore or .qwenignore and was not read.`,
  hidden: (path) => `A permission rule forbids reading ${path}.`,
  special: (path) => `${path} is neither a file nor a folder and was not read.`,
  empty: (path) => `No file was found for ${path}.`,
  cut: (path) => `${path} is longer than what was read of it.`,
  too_many_files: (path) => `${path} stands for more files than were read.`,
  too_many_references: (path) => `There are too many references: those from ${path} on were not looked at.`,
  no_room: (path) => `There was no room left for all files of ${path}.`,
};

/** A warning about a reference, with the one sentence that goes with its code. `path` is shown as it is. */
export function warningAbout(code: keyof typeof SENTENCES, original: string, path: string): ReferenceWarning {
  return { code, original, message: SENTENCES[code](path) };
}
