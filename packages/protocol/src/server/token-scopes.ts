import * as z from 'zod/mini';

/**
 * What a token of `qwen serve` may do: `read` sessions, `write` messages and files, `approve` tool calls, read
 * `metrics`. `admin` may do everything, with all sessions.
 */
export const tokenScopeSchema = z.enum(['read', 'write', 'approve', 'metrics', 'admin']);
export type TokenScope = z.infer<typeof tokenScopeSchema>;
