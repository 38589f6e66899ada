import type { PermissionMode } from '@qwen/protocol';
import { type Explanation, explainCall } from '../permission/explain.js';
import type { RuleSet } from '../permission/rule-set.js';
import { guardOf } from '../permission/shell/reading-guard.js';
import { suggestionsFor } from '../permission/suggestions.js';
import type { AnyTool, ToolContext } from '../tool.js';
import { prepareCall, type Workspace } from './prepare-call.js';

export interface ExplainOptions extends Pick<Workspace, 'cwd' | 'paths'> {
  readonly tools: readonly AnyTool[];
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
}

/** The decision, and how the call would run. */
export type PreparedExplanation = Explanation & Pick<ToolContext, 'isReading'>;

/** Rejects with `unknown_tool` and `invalid_tool_input`. */
export async function explainPrepared(
  call: { readonly name: string; readonly input: unknown },
  { tools, mode, rules, cwd, paths }: ExplainOptions,
): Promise<PreparedExplanation> {
  const { facts, tool, rawInput } = await prepareCall(tools, call, { cwd, paths, rules: { current: rules } });
  const explanation = { ...explainCall({ mode, rules, call: facts }), ...guardOf(facts.shell) };
  if (explanation.behavior !== 'ask') return explanation;
  const offers =
    explanation.decidedBy === 'default' || explanation.decidedBy === 'changed_tool' ? rules.offersFor(facts) : [];
  return {
    ...explanation,
    suggestions: suggestionsFor(tool.isQuestion === true ? 'other' : tool.kind, rawInput, offers) ?? [],
  };
}
