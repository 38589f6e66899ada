/** Status of a background command. */
export const TASK_STATUSES = ['running', 'completed', 'failed', 'stopped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
