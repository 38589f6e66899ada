import * as z from 'zod/mini';
import { lazySchema } from '../lazy-schema.js';
import { nullish } from '../nullish.js';
import { readConfirmationVerdict } from '../older-forms.js';
import { openObject } from '../open-object.js';
import { CONFIRMATION_OUTCOMES } from '../openai/confirmation-outcomes.js';
import type { ControlRequestSpec } from './request-spec.js';

const outcome = z.enum(CONFIRMATION_OUTCOMES);

/** Questions about slash commands. No answer or an invalid one means `cancel`. */
export const CONFIRMATION_REQUESTS = {
  confirm_shell_commands: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning:
      'Asks whether the shell commands of a slash command may run. A missing or malformed answer cancels the command.',
    fromOlderResult: readConfirmationVerdict,
    payload: lazySchema(() => openObject({ commands: z.array(z.string()), raw: z.string() })),
    result: lazySchema(() =>
      openObject({
        confirmationOutcome: outcome,
        /** Commands that may run. Default: all. */
        approvedCommands: nullish(z.array(z.string())),
      }),
    ),
  },
  confirm_action: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning: 'Asks the user to confirm a slash command. A missing or malformed answer cancels the command.',
    fromOlderResult: readConfirmationVerdict,
    payload: lazySchema(() => openObject({ prompt: z.string(), raw: z.string() })),
    result: lazySchema(() => openObject({ confirmationOutcome: outcome })),
  },
  quit_confirmation: {
    asker: 'agent',
    deadline: 'canUseTool',
    meaning: 'Asks whether the program may exit, after `/quit`. A missing or malformed answer cancels the command.',
    fromOlderResult: readConfirmationVerdict,
    payload: lazySchema(() => openObject({ prompt: z.string() })),
    result: lazySchema(() => openObject({ confirmationOutcome: outcome })),
  },
} as const satisfies Record<string, ControlRequestSpec>;
