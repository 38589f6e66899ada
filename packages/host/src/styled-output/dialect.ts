import type { AgentEvent } from '@qwen/agent';

/** Maps one event to output lines. Pure; never throws. */
export type Dialect<Line> = (event: AgentEvent) => readonly Line[];
