// The library converts schemas of the full zod.
import * as z from 'zod';

export const runInput = z.object({
  prompt: z.string().min(1).describe('The task, in words.'),
  cwd: z
    .string()
    .optional()
    .describe('The folder to work in, inside the allowed folders. Default: the one of the session, or of the server.'),
  session_id: z.string().optional().describe('Continues the session of an earlier result.'),
  model: z.string().optional().describe('Default: the model of the settings.'),
  max_turns: z.int().min(1).max(1000).optional().describe('The most model calls. Can only lower the limit here.'),
  max_budget_usd: z
    .number()
    .positive()
    .optional()
    .describe('The most that it may cost, in US dollars; needs known prices. Can only lower the limit here.'),
});
export type RunInput = z.infer<typeof runInput>;

export const runOutput = z.object({
  text: z.string().describe('The final answer, or why there is none.'),
  session_id: z.string(),
  outcome: z.enum(['success', 'interrupted', 'max_turns', 'budget', 'error']),
  usage: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
  cost_usd: z.number().optional().describe('Missing if a price is unknown.'),
  denials: z.array(z.object({ tool_name: z.string(), reason: z.string() })).describe('Tool calls that were denied.'),
  structured_output: z.unknown().optional(),
});

const capabilities = z.looseObject({
  elicitation: z.looseObject({ form: z.unknown().optional(), url: z.unknown().optional() }).optional(),
});
export type Capabilities = z.infer<typeof capabilities>;

const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const envelope = z.looseObject({ [CAPABILITIES]: capabilities });

/** What a client without `initialize` says of itself in each request. */
export function readCapabilities(meta: unknown): Capabilities | undefined {
  return envelope.safeParse(meta).data?.[CAPABILITIES];
}
