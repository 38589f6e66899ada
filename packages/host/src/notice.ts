/** Something to tell people; `code` is stable. */
export interface Notice {
  readonly code: string;
  readonly message: string;
  /** Facts beyond the message, for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}
