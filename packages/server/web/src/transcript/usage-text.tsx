import type { TurnUsage } from '../conversation/conversation.js';

export interface UsageTextProps {
  readonly usage: TurnUsage;
  readonly durationMs?: number;
}

const compact = new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 });

/** Such as `1.2K tokens in · 340 out · $0.01 · 12 s`. */
export function UsageText({ usage: { inputTokens, outputTokens, costUsd }, durationMs }: UsageTextProps) {
  const parts = [
    `${compact.format(inputTokens)} tokens in`,
    `${compact.format(outputTokens)} out`,
    ...(costUsd === undefined ? [] : [`$${costUsd.toFixed(costUsd < 0.1 ? 4 : 2)}`]),
    ...(durationMs === undefined ? [] : [durationText(durationMs)]),
  ];
  return <span title={`${inputTokens} tokens in, ${outputTokens} tokens out`}>{parts.join(' · ')}</span>;
}

export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return `${ms} ms`;
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
