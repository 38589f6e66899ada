import { addRules, removeRules } from './permissions/change.js';
import { explainOne } from './permissions/explain.js';
import { listPermissions } from './permissions/list.js';
import { PERMISSIONS } from './permissions/spec.js';
import { testCases } from './permissions/test-cases.js';
import type { Subcommand } from './subcommand.js';
import { chooseVerb } from './words/choose-verb.js';

const VERBS: Readonly<Record<keyof typeof PERMISSIONS.verbs, Subcommand>> = {
  list: listPermissions,
  add: addRules,
  remove: removeRules,
  explain: explainOne,
  test: testCases,
};

/** Lists rules with their source and explains decisions. */
export const runPermissions: Subcommand = async (options) => {
  const chosen = chooseVerb('permissions', PERMISSIONS, options.words);
  if (chosen.kind === 'verb') return VERBS[chosen.verb]({ ...options, words: chosen.words });
  await options.print(chosen.text);
  return 0;
};
