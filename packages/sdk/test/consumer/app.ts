// An app that uses the built package as its users do: compiled with the strictest settings, never run.
import {
  type CanUseTool,
  type CanUseToolCallback,
  type CLIControlInitializeRequest,
  type CLIControlInterruptRequest,
  type CLIControlMcpMessageRequest,
  type CLIControlMcpStatusRequest,
  type CLIControlPermissionRequest,
  type CLIControlSetModelRequest,
  type CLIControlSetPermissionModeRequest,
  type CLIControlSupportedCommandsRequest,
  type CLIHookCallbackRequest,
  type CLIMessage,
  type ControlErrorResponse,
  type ControlMessage,
  type ControlRequestPayload,
  type ControlResponse,
  createSdkMcpServer,
  isSDKResultMessage,
  query,
  type SDKUserMessage,
  type ToolConfirmationDetails,
  tool,
  type WaitingToolCall,
} from '@qwen/sdk';
import * as z from 'zod';

const canUseTool: CanUseTool = async (toolName, input, { signal }) =>
  signal.aborted ? { behavior: 'deny', message: toolName } : { behavior: 'allow', updatedInput: input };

const shop = createSdkMcpServer({
  name: 'shop',
  tools: [
    tool('stock', 'In stock.', { coffee: z.string() }, async ({ coffee }) => ({
      content: [{ type: 'text', text: coffee.toUpperCase() }],
    })),
  ],
});

/** The names of 003 are there, and each payload is one of the union (O-48, O-49). */
export type Payloads = [
  CLIControlInitializeRequest,
  CLIControlInterruptRequest,
  CLIControlSetModelRequest,
  CLIControlSupportedCommandsRequest,
  CLIControlPermissionRequest,
  CLIControlSetPermissionModeRequest,
  CLIControlMcpMessageRequest,
  CLIControlMcpStatusRequest,
  CLIHookCallbackRequest,
];
export const isPayload = (payload: Payloads[number]): ControlRequestPayload => payload;
export type Output = CLIMessage | ControlMessage;
export const isResponse = (response: ControlResponse | ControlErrorResponse): string => response.request_id;

/** A dialog reads what it must show from the kind (O-47). */
export const questionOf = ({ confirmationDetails }: WaitingToolCall): string => textOf(confirmationDetails);
const textOf = (details: ToolConfirmationDetails): string =>
  details.type === 'exec' ? details.command : details.title;
export const sameCallback: CanUseToolCallback = canUseTool;

async function* prompts(): AsyncGenerator<SDKUserMessage> {
  yield { type: 'user', message: { role: 'user', content: 'hello' } };
}

export async function main(): Promise<string | undefined> {
  const conversation = query({ prompt: prompts(), options: { canUseTool, mcpServers: { shop } } });
  for await (const message of conversation) {
    if (isSDKResultMessage(message)) return message.result;
  }
  return conversation.getSessionId();
}
