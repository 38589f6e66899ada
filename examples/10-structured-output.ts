// Get an answer that matches a schema, within a budget. Any other outcome is an error.
import { query } from '@qwen/sdk';
import * as z from 'zod';

const outputSchema = z.object({
  title: z.string(),
  chores: z.array(z.object({ what: z.string(), hours: z.number().positive() })),
});

const conversation = query({
  prompt: process.argv[2] ?? 'Read todo.txt and plan the day.',
  options: { outputSchema, budget: { wallMs: 120_000, turns: 10, toolCalls: 20 } },
});

for await (const message of conversation) {
  if (message.type !== 'result') continue;
  const plan = message.structured_output;
  if (message.is_error || plan === undefined) {
    console.log(`no plan: ${message.error?.message}`);
  } else {
    const hours = plan.chores.reduce((sum, chore) => sum + chore.hours, 0);
    console.log(`${plan.title}: ${plan.chores.length} chores, ${hours} hours`);
  }
  console.log(`tool calls left: ${message.budget_remaining?.toolCalls}`);
}
