import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

/** A list, or its names in one line with commas between them. */
const names = lazySchema(() => nullish(z.union([z.string(), z.array(z.string())])));

/** The front matter of an agent file; what follows it is the system prompt. */
export const agentFileSchema = lazySchema(() =>
  openObject({
    /** Default: the name of the file. */
    name: nullish(z.string()),
    description: nullish(z.string()),
    tools: names,
    disallowedTools: names,
    /** `inherit` is the model of the session. */
    model: nullish(z.string()),
    color: nullish(z.string()),
    maxTurns: nullish(z.int().check(z.positive())),
    maxTimeMinutes: nullish(z.number().check(z.positive())),
  }),
);
export type AgentFile = z.infer<typeof agentFileSchema>;

/** The members that mean something; people are told of others. */
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
