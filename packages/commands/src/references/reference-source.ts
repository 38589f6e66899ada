export interface ReferenceFile {
  /** Display name: relative to the working folder if below it, with `/`. */
  readonly name: string;
  /** Absolute, with links resolved. */
  readonly realPath: string;
}

export type RefusalReason = 'outside' | 'ignored' | 'hidden' | 'secret' | 'special';

export type Sighting =
  | { readonly kind: 'missing' }
  | { readonly kind: 'file'; readonly file: ReferenceFile }
  | { readonly kind: 'folder' }
  | { readonly kind: 'refused'; readonly reason: RefusalReason };

export type FileContent =
  /** `bytes`: UTF-8 length of `text`. `isCut`: the file is longer. */
  | { readonly kind: 'text'; readonly text: string; readonly bytes: number; readonly isCut: boolean }
  /** `data` is base64; `mediaType` is a MIME type. */
  | { readonly kind: 'image'; readonly mediaType: string; readonly data: string; readonly bytes: number }
  | { readonly kind: 'binary'; readonly bytes: number };

/** Paths are absolute or relative to the working folder; `~` is not expanded. */
export interface ReferenceSource {
  /** Checks a path without reading it. Never rejects. */
  look(path: string): Promise<Sighting>;
  /** Like {@link look}, for the folder part of a glob. */
  lookAtStart(glob: string): Promise<Sighting>;
  /** Sorted by name, without dot files. Ends early on abort; calls `onCut` once at the limit. */
  filesBelow(path: string, walk: ReferenceWalk): AsyncIterable<ReferenceFile>;
  /** Includes dot files only if the glob names them. */
  filesLike(glob: string, walk: ReferenceWalk): AsyncIterable<ReferenceFile>;
  /** Rejects with `tool_failed`. */
  read(file: ReferenceFile, limits: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<FileContent>;
}

export interface ReferenceWalk {
  readonly signal: AbortSignal;
  readonly onCut: () => void;
}
