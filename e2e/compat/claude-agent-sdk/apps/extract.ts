// Turns the notes of a folder into data of a given form. Run: node extract.ts
import { query } from '@anthropic-ai/claude-agent-sdk';
import { z } from 'zod';

const Invoice = z.object({
  number: z.number().int(),
  customer: z.string().min(1),
  lines: z.array(z.object({ text: z.string(), amount: z.number() })),
  paid: z.boolean().optional(),
});

const schema = z.toJSONSchema(Invoice);

for await (const message of query({
  prompt: 'Extract the invoice in invoice.txt.',
  options: {
    outputFormat: { type: 'json_schema', schema },
    tools: ['Read'],
    maxBudgetUsd: 5,
    effort: 'low',
    thinking: { type: 'adaptive' },
  },
})) {
  if (message.type !== 'result') continue;
  if (message.subtype === 'success' && message.structured_output) {
    const invoice = Invoice.parse(message.structured_output);
    const total = invoice.lines.reduce((sum, line) => sum + line.amount, 0);
    console.log(`Invoice ${invoice.number} of ${invoice.customer}: ${total}`);
  } else if (message.subtype === 'error_max_structured_output_retries') {
    console.log('The model did not produce valid data.');
  } else {
    console.log(`failed: ${message.subtype} ${message.subtype === 'success' ? '' : message.errors.join()}`);
  }
}
