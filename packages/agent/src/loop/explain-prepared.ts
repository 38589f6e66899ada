import type { PermissionMode } from '@qwen/protocol';
import { type Explanation, explainCall } from '../permission/explain.js';
import type { RuleSet } from '../permission/rule-set.js';
import { suggestionsFor } from '../permission/suggestions.js';
import type { AnyTool } from '../tool.js';
import { prepareCall, type Workspace } from './prepare-call.js';

export interface ExplainOptions extends Pick<Workspace, 'cwd' | 'paths'> {
  readonly tools: readonly AnyTool[];
  readonly mode: PermissionMode;
  readonly rules: RuleSet;
}

/** Rejects with `unknown_tool` and `invalid_tool_input`. */
export async function explainPrepared(
  call: { readonly name: string; readonly input: unknown },
  { tools, mode, rules, cwd, paths }: ExplainOptions,
): Promise<Explanation> {
  const { facts, tool, rawInput } = await prepareCall(tools, call, { cwd, paths, rules: { current: rules } });
  const explanation = explainCall({ mode, rules, call: facts });
  if (explanation.behavior !== 'ask') return explanation;
  const offers =
    explanation.decidedBy === 'default' || explanation.decidedBy === 'changed_tool' ? rules.offersFor(facts) : [];
  return {
    ...explanation,
    suggestions: suggestionsFor(tool.isQuestion === true ? 'other' : tool.kind, rawInput, offers) ?? [],
  };
}
