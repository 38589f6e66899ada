/** Of a command in the background. */
export const TASK_STATUSES = ['running', 'completed', 'failed', 'stopped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];
