import { AgentError, type ControlHandler } from '@qwen/protocol';

/** Serves `hook_callback`: this version registers no hooks, so a call of one is a mistake of the CLI. */
export const refuseHookCallback: ControlHandler<'hook_callback'> = ({ callback_id: callbackId }) => {
  throw new AgentError('invalid_payload', `This app registered no hook called ${callbackId}.`);
};
