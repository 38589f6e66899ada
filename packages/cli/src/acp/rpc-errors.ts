import { RequestError } from '@agentclientprotocol/sdk';
import { AgentError } from '@qwen/protocol';

/** Gives an error of the agent its JSON-RPC code; `data.code` is ours. */
export async function typed<Answer>(work: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof RequestError) throw thrown;
    const { code, message, data } = AgentError.from(thrown);
    throw new RequestError(RPC_CODES.get(code) ?? -32_603, message, { ...data, code });
  }
}

const RPC_CODES: ReadonlyMap<string, number> = new Map([
  ['missing_credentials', -32_000],
  ['auth_failed', -32_000],
  ['session_not_found', -32_002],
  ['overloaded', -32_600],
  ['invalid_payload', -32_602],
  ['invalid_message', -32_602],
  ['invalid_settings', -32_602],
  ['usage', -32_602],
]);
