/** The number of the wire protocol that we speak. */
export const PROTOCOL_VERSION = 1;

/** Every number that we still understand, newest first. */
export const SUPPORTED_PROTOCOL_VERSIONS: readonly number[] = [1];

declare const __QWEN_VERSION__: string | undefined;

/** The version that all published packages share. The build sets it. */
export const QWEN_VERSION: string = typeof __QWEN_VERSION__ === 'string' ? __QWEN_VERSION__ : '0.0.0';
