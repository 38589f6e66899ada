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

export interface WordFlag {
  readonly type: 'boolean' | 'string';
  readonly short?: string;
  readonly multiple?: true;
  /** Placeholder of the value in the help. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly completes?: WordKind;
  /** An alias of another flag, hidden from the help. */
  readonly isAlias?: true;
  readonly meaning: string;
}

export type WordFlags = Readonly<Record<string, WordFlag>>;

export interface VerbSpec {
  /** Positional words, such as `ID TITLE`. Default: none. */
  readonly words?: string;
  /** Completion of positional words; the last kind repeats. */
  readonly completes?: readonly WordKind[];
  readonly meaning: string;
  readonly flags: WordFlags;
}

export interface CommandSpec {
  readonly meaning: string;
  readonly own?: VerbSpec;
  readonly verbs: Readonly<Record<string, VerbSpec>>;
  readonly notes?: string;
}

export function firstSentence({ meaning }: CommandSpec): string {
  return meaning.split(/(?<=\.) /, 1)[0] ?? meaning;
}
