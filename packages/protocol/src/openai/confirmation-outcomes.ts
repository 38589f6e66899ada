export const CONFIRMATION_OUTCOMES = ['proceed_once', 'proceed_always', 'cancel'] as const;
export type ConfirmationOutcome = (typeof CONFIRMATION_OUTCOMES)[number];
