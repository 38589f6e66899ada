/** Permission rules for single files. Paths are absolute; check both the name of a file and the target of its links. */
export interface FileRules {
  /** Whether a deny rule hides the file, or it holds secrets of the program itself. */
  hides(path: string): boolean;
  /** Whether the file must not be written. */
  locks(path: string): Promise<boolean>;
}

/** Reads the current rules of a folder. If it rejects, the request fails. */
export type FindFileRules = (workspaceRoot: string) => Promise<FileRules>;

export const NO_FILE_RULES: FileRules = { hides: () => false, locks: async () => false };
