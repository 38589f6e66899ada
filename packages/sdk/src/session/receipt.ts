import { AgentError, PROTOCOL_VERSION, SUPPORTED_PROTOCOL_VERSIONS } from '@qwen/protocol';
import type { LineMetadata, OutputLine } from '@qwen/protocol/openai';
import type { QueryOptions } from '../options.js';
import { toLineFailure } from '../terminal/line-failure.js';
import type { CheckedSessionOptions } from './check-session-options.js';

/** What the first line of a process says (K-01). */
export type Receipt = LineMetadata;

/** The receipt, where a line is one; else undefined. */
export function receiptOf(output: OutputLine): Receipt | undefined {
  if (output.kind !== 'completion' && output.kind !== 'chunk') return undefined;
  const { metadata } = output.line;
  return metadata?.protocol_version === undefined ? undefined : metadata;
}

/** Why the process ends behind this line (K-03 … K-05), where it says that it does not speak our version. */
export function refusalOf(output: OutputLine): AgentError | undefined {
  if (output.kind !== 'completion' && output.kind !== 'chunk') return undefined;
  const { error } = output.line.metadata ?? {};
  return error?.code === 'unsupported_protocol' ? toLineFailure(error) : undefined;
}

/**
 * Throws `unsupported_protocol` for a program that speaks no version of ours, and `unsupported_by_cli` for one that
 * lacks what the options need.
 */
export function checkReceipt(receipt: Receipt, { format, launch, tools }: CheckedSessionOptions): void {
  const { protocol_version: version, supported_protocol_versions: others = [], capabilities } = receipt;
  const theirs = [...(version === undefined ? [] : [version]), ...others];
  if (!theirs.some((number) => SUPPORTED_PROTOCOL_VERSIONS.includes(number))) {
    throw new AgentError(
      'unsupported_protocol',
      `The CLI speaks protocol version ${theirs.join(', ')}; this SDK speaks ${SUPPORTED_PROTOCOL_VERSIONS.join(', ')}.`,
      { data: { theirs: version, ours: PROTOCOL_VERSION } },
    );
  }
  if (format === 'chunk' && capabilities?.chatCompletionChunk === false) {
    throw new AgentError('unsupported_by_cli', 'options.format: this CLI writes no chunks.');
  }
  const needs = capabilities?.controlChannel === true ? undefined : optionThatAsks(launch);
  if (needs !== undefined) {
    throw new AgentError('unsupported_by_cli', `options.${needs}: this CLI has no control channel.`);
  }
  if (tools.length > 0 && capabilities === undefined) {
    throw new AgentError(
      'unsupported_by_cli',
      'options.tools: this CLI does not say that it leaves tools to the host.',
    );
  }
}

/** An option that works only over the control channel. */
function optionThatAsks(options: QueryOptions): keyof QueryOptions | undefined {
  const names = ['canUseTool', 'hooks', 'mcpServers', 'agents', 'systemPrompt', 'onElicitation', 'budget'] as const;
  return names.find((name) => options[name] !== undefined);
}
