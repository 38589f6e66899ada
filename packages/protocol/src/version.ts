/** The number of the wire protocol that we speak (GAP-37). */
export const PROTOCOL_VERSION = 1;

/** Every number that we still understand, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly number[] = [1];
