/** What a word can be completed with. */
export type WordKind =
  | 'session'
  | 'server'
  | 'tool'
  | 'model'
  | 'file'
  | 'folder'
  | 'command'
  | 'verb'
  | 'shell'
  | 'none';

/** One flag of a subcommand: what parses it, helps with it and completes it. */
export interface WordFlag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: true;
  /** What stands for the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: WordKind;
  /** Another way to say what another flag says: understood, and left out of the help. */
  readonly isAlias?: true;
  readonly meaning: string;
}

export type WordFlags = Readonly<Record<string, WordFlag>>;

/** What may stand behind a subcommand, or behind one of its verbs. */
export interface VerbSpec {
  /** The words that are no flags, such as `ID TITLE`. Default: none. */
  readonly words?: string;
  /** What these words can be, by place; the last one holds for all further places. */
  readonly completes?: readonly WordKind[];
  readonly meaning: string;
  readonly flags: WordFlags;
}

/** A subcommand as help, completion and parsing see it. */
export interface CommandSpec {
  /** Its first sentence stands in lists. */
  readonly meaning: string;
  /** Behind the name itself; missing: a verb has to follow. */
  readonly own?: VerbSpec;
  readonly verbs: Readonly<Record<string, VerbSpec>>;
  /** Further paragraphs of the help. */
  readonly notes?: string;
}

/** What lists say of a subcommand. */
export function firstSentence({ meaning }: CommandSpec): string {
  return meaning.split(/(?<=\.) /, 1)[0] ?? meaning;
}
