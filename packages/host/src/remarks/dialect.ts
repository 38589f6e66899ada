import type { AgentEvent } from '@qwen/agent';

/** A view of the event stream: one event in, the lines that it becomes out. Does no I/O and never throws. */
export type Dialect<Line> = (event: AgentEvent) => readonly Line[];
