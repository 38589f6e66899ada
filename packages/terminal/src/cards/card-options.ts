export interface CardOptions {
  readonly columns: number;
  /** Words instead of marks and margins. Default false. */
  readonly isScreenReader?: boolean;
  /** Absolute; paths below it are shown relative to it. */
  readonly folder?: string;
}
