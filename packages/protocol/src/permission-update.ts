import * as z from 'zod/mini';
import { describeIssue } from './describe-issue.js';
import { AgentError } from './errors.js';
import { isJsonObject } from './json-object.js';
import { lazySchema } from './lazy-schema.js';
import { permissionModeSchema } from './modes.js';
import { readClaudeMode } from './older-forms.js';
import { openObject } from './open-object.js';
import {
  type PermissionSuggestion,
  permissionDestinationSchema,
  permissionSuggestionSchema,
} from './permission-suggestion.js';

/** A rule such as `Bash(npm test)`, or in the Claude Agent SDK's form. */
const ruleSchema = lazySchema(() =>
  z.union([z.string(), openObject({ toolName: z.string(), ruleContent: z.optional(z.string()) })]),
);

/** A change of rules or mode, sent with the answer to a permission question. */
export const permissionUpdateSchema = lazySchema(() =>
  z.discriminatedUnion('type', [
    openObject({
      type: z.enum(['addRules', 'replaceRules', 'removeRules']),
      rules: z.array(ruleSchema),
      behavior: z.enum(['allow', 'deny', 'ask']),
      destination: permissionDestinationSchema,
    }),
    openObject({
      type: z.literal('setMode'),
      mode: permissionModeSchema,
      destination: permissionDestinationSchema,
    }),
  ]),
);
export type PermissionUpdate = z.infer<typeof permissionUpdateSchema>;

/** Suggestions in the form of the Claude Agent SDK: as updates. */
export function toClaudeSuggestions(suggestions: readonly PermissionSuggestion[]): object[] {
  return suggestions
    .flatMap(toPermissionUpdates)
    .map((update) =>
      'rules' in update
        ? { ...update, rules: update.rules.map((rule) => (typeof rule === 'string' ? toRuleValue(rule) : rule)) }
        : update,
    );
}

/** The form in which the Claude Agent SDK expects a rule. */
function toRuleValue(rule: string): { toolName: string; ruleContent?: string } {
  const [, toolName = rule, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(rule) ?? [];
  return { toolName, ...(ruleContent !== undefined && { ruleContent }) };
}

/**
 * The rules of a suggestion, for `updatedPermissions`; empty if it has none.
 *
 * @example
 * import { type CanUseTool, toPermissionUpdates } from '@qwen/sdk';
 *
 * const canUseTool: CanUseTool = async (toolName, input, { suggestions }) => {
 *   const always = suggestions?.find(({ type }) => type === 'allow');
 *   return { behavior: 'allow', updatedPermissions: always && toPermissionUpdates(always) };
 * };
 */
export function toPermissionUpdates(suggestion: PermissionSuggestion): PermissionUpdate[] {
  const { type, rules = [], destination = 'session' } = suggestion;
  if (type === 'modify' || rules.length === 0) return [];
  return [{ type: 'addRules', rules, behavior: type, destination }];
}

/** Updates of the Claude Agent SDK that have no counterpart. */
const DIRECTORY_UPDATES: ReadonlySet<unknown> = new Set(['addDirectories', 'removeDirectories']);

/**
 * The updates of an answer: ours, those of the Claude Agent SDK, and suggestions that were passed back. Throws
 * `invalid_payload`, which names the member.
 */
export function readPermissionUpdates(value: unknown): PermissionUpdate[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw invalid('updatedPermissions: expected a list');
  return value.flatMap((update: unknown, index) => readUpdate(update, `updatedPermissions.${index}`));
}

function readUpdate(update: unknown, place: string): PermissionUpdate[] {
  if (!isJsonObject(update)) throw invalid(`${place}: expected an object`);
  const { type, destination = 'session' } = update;
  if (DIRECTORY_UPDATES.has(type)) {
    throw invalid(`${place}.type: ${String(type)} is not supported; name the directories when the session starts`);
  }
  if (isSuggestionType(type)) {
    const parsed = permissionSuggestionSchema.safeParse(update);
    if (!parsed.success) throw invalid(describeIssue(place, parsed.error));
    return toPermissionUpdates(parsed.data);
  }
  const parsed = permissionUpdateSchema.safeParse({ ...readClaudeMode(update), ...readRules(update), destination });
  if (!parsed.success) throw invalid(describeIssue(place, parsed.error));
  if ('rules' in parsed.data)
    for (const [at, rule] of parsed.data.rules.entries()) checkRule(rule, `${place}.rules.${at}`);
  return [parsed.data];
}

/** Clients in other languages write a missing content as null. */
function readRules({ rules }: Readonly<Record<string, unknown>>): { readonly rules?: readonly unknown[] } {
  if (!Array.isArray(rules)) return {};
  return {
    rules: rules.map((rule: unknown) => {
      if (!isJsonObject(rule) || rule['ruleContent'] !== null) return rule;
      const { ruleContent: _missing, ...others } = rule;
      return others;
    }),
  };
}

/** Without a misspelled content, a rule for one command would allow every command. */
function checkRule(rule: z.infer<typeof ruleSchema>, place: string): void {
  if (typeof rule === 'string') return;
  const other = Object.keys(rule).find((name) => name !== 'toolName' && name !== 'ruleContent');
  if (other !== undefined) throw invalid(`${place}.${other} is not supported; a rule has toolName and ruleContent`);
  if (rule.ruleContent === '') throw invalid(`${place}.ruleContent: expected text; leave it out for the whole tool`);
}

function isSuggestionType(type: unknown): boolean {
  return type === 'allow' || type === 'deny' || type === 'modify';
}

function invalid(problem: string): AgentError {
  return new AgentError('invalid_payload', problem);
}
