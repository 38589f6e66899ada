import { findConfigDir } from '@qwen/host/config/config-dir.js';
import { encodeDocument, escapeHidden } from '@qwen/protocol';
import type { Subcommand } from '../subcommand.js';
import { wantsJson } from '../words/json-flags.js';
import { readWords } from '../words/read-words.js';
import { listRules } from './listed-rules.js';
import { PERMISSIONS } from './spec.js';

export const listPermissions: Subcommand = async ({ words, environment, cwd, print }) => {
  const { flags } = readWords(words, {
    command: 'permissions list',
    flags: PERMISSIONS.verbs.list.flags,
    onlyFlags: true,
  });
  const rules = await listRules({ configDir: findConfigDir(environment, cwd), cwd });
  if (wantsJson(flags)) {
    await print(encodeDocument(rules));
    return 0;
  }
  const width = Math.max(0, ...rules.map(({ rule }) => escapeHidden(rule).length));
  const lines = rules.map(({ behavior, rule, scope, path, line, counts }) => {
    const why = counts ? '' : '  (ignored: the folder is not trusted)';
    return `${behavior.padEnd(6)} ${escapeHidden(rule).padEnd(width)}  ${scope.padEnd(8)} ${path}:${line}${why}\n`;
  });
  await print(lines.join('') || 'No rules. Add one with qwen permissions add.\n');
  return 0;
};
