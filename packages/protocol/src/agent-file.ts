import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

/** A list, or comma-separated names on one line. */
const names = lazySchema(() => nullish(z.union([z.string(), z.array(z.string())])));

/** Front matter of an agent file; the rest of the file is the system prompt. */
export const agentFileSchema = lazySchema(() =>
  openObject({
    name: nullish(z.string()),
    description: nullish(z.string()),
    tools: names,
    disallowedTools: names,
    /** `inherit`: the model of the session. */
    model: nullish(z.string()),
    color: nullish(z.string()),
    maxTurns: nullish(z.int().check(z.positive())),
    maxTimeMinutes: nullish(z.number().check(z.positive())),
  }),
);
export type AgentFile = z.infer<typeof agentFileSchema>;

/** Members with an effect; others produce a notice. */
export const AGENT_FILE_MEMBERS: readonly string[] = [
  'name',
  'description',
  'tools',
  'disallowedTools',
  'model',
  'color',
  'maxTurns',
  'maxTimeMinutes',
] satisfies (keyof AgentFile)[];
