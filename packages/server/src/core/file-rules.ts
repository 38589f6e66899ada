/** What permission rules say about single files. Paths are absolute; ask about a name and about what it leads to. */
export interface FileRules {
  /** Whether the file is kept from being read: by a deny rule, or because it holds secrets of the program itself. */
  hides(path: string): boolean;
  /** Whether the file must not be written. */
  locks(path: string): Promise<boolean>;
}

/** The rules that hold in a folder now. Rejects when they cannot be known: then nothing is shown. */
export type FindFileRules = (workspaceRoot: string) => Promise<FileRules>;

/** For a server that was told of none. */
export const NO_FILE_RULES: FileRules = { hides: () => false, locks: async () => false };
