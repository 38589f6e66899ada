export const PROTOCOL_VERSION = 1;

export const SUPPORTED_PROTOCOL_VERSIONS: readonly number[] = [1];

declare const __QWEN_VERSION__: string | undefined;

/** The shared version of all published packages, set by the build. */
export const QWEN_VERSION: string = typeof __QWEN_VERSION__ === 'string' ? __QWEN_VERSION__ : '0.0.0';
