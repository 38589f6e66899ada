import * as z from 'zod/mini';
import { lazySchema } from './lazy-schema.js';
import { nullish } from './nullish.js';
import { openObject } from './open-object.js';

/** A list, or comma-separated names on one line. */
const names = lazySchema(() => nullish(z.union([z.string(), z.array(z.string())])));

const turns = z.int().check(z.positive());
const minutes = z.number().check(z.positive());

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
    maxTurns: nullish(turns),
    maxTimeMinutes: nullish(minutes),
    /** Limits and sampling as qwen-code writes them, of old and new versions. */
    runConfig: nullish(
      openObject({
        max_turns: nullish(turns),
        maxTurns: nullish(turns),
        max_time_minutes: nullish(minutes),
        maxTimeMinutes: nullish(minutes),
      }),
    ),
    modelConfig: nullish(
      openObject({
        model: nullish(z.string()),
        temp: nullish(z.number()),
        top_p: nullish(z.number()),
        topP: nullish(z.number()),
      }),
    ),
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
  'runConfig',
  'modelConfig',
] satisfies (keyof AgentFile)[];
