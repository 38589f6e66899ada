import { AgentError, type ControlHandlers } from '@qwen/protocol';

type NotYetServed = 'explain_permission';

const refuse = (): never => {
  throw new AgentError('unknown_subtype', 'This version of qwen does not serve this request.');
};

/** Requests of the table that are refused by name. */
export const NOT_YET_SERVED: Pick<ControlHandlers<'app'>, NotYetServed> = {
  explain_permission: refuse,
};
