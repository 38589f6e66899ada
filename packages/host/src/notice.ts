export interface Notice {
  readonly code: string;
  readonly message: string;
  /** Details for programs. */
  readonly data?: Readonly<Record<string, unknown>>;
}
