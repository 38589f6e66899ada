import { AgentError, type ControlHandlers } from '@qwen/protocol';

type NotYetServed =
  | 'set_effort'
  | 'continue_last_turn'
  | 'get_context_usage'
  | 'get_usage_info'
  | 'get_available_models'
  | 'explain_permission'
  | 'list_sessions'
  | 'get_session_messages'
  | 'rename_session'
  | 'delete_session'
  | 'fork_session';

const refuse = (): never => {
  throw new AgentError('unknown_subtype', 'This version of qwen does not serve this request.');
};

/** Requests of the table that are refused by name. */
export const NOT_YET_SERVED: Pick<ControlHandlers<'app'>, NotYetServed> = {
  set_effort: refuse,
  continue_last_turn: refuse,
  get_context_usage: refuse,
  get_usage_info: refuse,
  get_available_models: refuse,
  explain_permission: refuse,
  list_sessions: refuse,
  get_session_messages: refuse,
  rename_session: refuse,
  delete_session: refuse,
  fork_session: refuse,
};
