export interface CardOptions {
  readonly columns: number;
  /** Words instead of marks and margins. Default false. */
  readonly isScreenReader?: boolean;
  /** The key that shows a folded result in full. Empty: none. Default `Ctrl-O`. */
  readonly fullKey?: string;
  /** Absolute; paths below it are shown relative to it. */
  readonly folder?: string;
}
