import { AgentError, SUPPORTED_PROTOCOL_VERSIONS } from '@qwen/protocol';
import type { LineMetadata, OutputLine } from '@qwen/protocol/openai';
import type { QueryOptions } from '../options/options.js';
import { unsupportedProtocol } from '../query/agent-abilities.js';
import { toLineFailure } from '../terminal/line-failure.js';
import type { CheckedSessionOptions } from './check-session-options.js';

/** The first line of a process: protocol version, capabilities and formats. */
export type Receipt = LineMetadata;

export function receiptOf(output: OutputLine): Receipt | undefined {
  if (output.kind !== 'completion' && output.kind !== 'chunk') return undefined;
  const { metadata } = output.line;
  return metadata?.protocol_version === undefined ? undefined : metadata;
}

export function refusalOf(output: OutputLine): AgentError | undefined {
  if (output.kind !== 'completion' && output.kind !== 'chunk') return undefined;
  const { error } = output.line.metadata ?? {};
  return error?.code === 'unsupported_protocol' ? toLineFailure(error) : undefined;
}

/** Throws `unsupported_protocol`, and `unsupported_by_cli` for an option that the program does not support. */
export function checkReceipt(receipt: Receipt, { format, launch, tools }: CheckedSessionOptions): void {
  const { protocol_version: version, supported_protocol_versions: others = [], capabilities } = receipt;
  const theirs = [...(version === undefined ? [] : [version]), ...others];
  if (!theirs.some((number) => SUPPORTED_PROTOCOL_VERSIONS.includes(number))) throw unsupportedProtocol(theirs);
  if (format === 'chunk' && capabilities?.chatCompletionChunk === false) {
    throw new AgentError('unsupported_by_cli', 'options.format: this CLI does not support chunks. Use "message".');
  }
  const needs = capabilities?.controlChannel === true ? undefined : optionOfControlChannel(launch);
  if (needs !== undefined) {
    throw new AgentError('unsupported_by_cli', `options.${needs} is not supported: this CLI has no control channel.`);
  }
  if (tools.length > 0 && capabilities === undefined) {
    throw new AgentError('unsupported_by_cli', 'options.tools is not supported by this CLI.');
  }
}

function optionOfControlChannel(options: QueryOptions): keyof QueryOptions | undefined {
  const names = ['canUseTool', 'hooks', 'mcpServers', 'agents', 'systemPrompt', 'onElicitation', 'budget'] as const;
  return names.find((name) => options[name] !== undefined);
}
