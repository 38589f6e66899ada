/** How much room a card has, and for whom it is. */
export interface CardOptions {
  readonly columns: number;
  /** Words instead of signs and margins. Default false. */
  readonly isScreenReader?: boolean;
  /** Absolute: paths below it are shown without it. */
  readonly folder?: string;
}
