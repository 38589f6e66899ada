/** A file that a reference may show: it lies in the workspace, no ignore rule leaves it out and no rule hides it. */
export interface ReferenceFile {
  /** As people and the model read it: from the working folder where it lies below, `/` between names. */
  readonly name: string;
  /** Absolute, every link followed: what is opened, and what two references to one file have in common. */
  readonly realPath: string;
}

/** Why something that is there is not shown: outside of the workspace, an ignore rule, a deny rule, not a file at all. */
export type RefusalReason = 'outside' | 'ignored' | 'hidden' | 'special';

/** What stands at a path. */
export type Sighting =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly file: ReferenceFile }
  | { readonly kind: 'folder' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

/** What a file holds, as far as a reference shows it. */
export type FileContent =
  /** `bytes` of the text in UTF-8; `isCut`: more follows in the file. */
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  /** `data` is base64; `mediaType` a MIME type. */
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string; readonly bytes: number }
  | { readonly kind: 'binary'; readonly bytes: number };

/**
 * The files that references may be about (F-05). Paths are as they were written: absolute, or from the working folder;
 * nothing in them is expanded, `~` is a name like others.
 */
export interface ReferenceSource {
  /** Looks what is at a path, without reading it. Never rejects. */
  look(path: string): Promise<Sighting>;
  /** As {@link look}, for the folder that a glob starts in. */
  lookAtStart(glob: string): Promise<Sighting>;
  /** The files below a folder that `look` found, in the order of the names, without those that begin with a dot. Ends early on abort; calls `onCut` once when it saw too much. */
  filesBelow(path: string, walk: ReferenceWalk): AsyncIterable<ReferenceFile>;
  /** The files that a glob matches whose start `lookAtStart` found, as {@link filesBelow}; names with dots where it has them. */
  filesLike(glob: string, walk: ReferenceWalk): AsyncIterable<ReferenceFile>;
  /** Reads a file up to `maxBytes` of text. Rejects with `tool_failed` and a reason for people. */
  read(file: ReferenceFile, limits: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<FileContent>;
}

export interface ReferenceWalk {
  readonly signal: AbortSignal;
  readonly onCut: () => void;
}
