/** Permission rules for files. Check both the path of a file and the target of its links; both absolute. */
export interface FileRules {
  /** Also true for secrets of the program itself. */
  hides(path: string): boolean;
  locks(path: string): Promise<boolean>;
}

export type FindFileRules = (workspaceRoot: string) => Promise<FileRules>;

export const NO_FILE_RULES: FileRules = { hides: () => false, locks: async () => false };
