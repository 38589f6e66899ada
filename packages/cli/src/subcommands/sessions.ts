import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { createFileStore } from '@qwen/agent/node';
import { AgentError } from '@qwen/protocol';
import { findQwenHome, sessionsFolder } from '../config/qwen-home.js';
import { deleteSession, forkSession, renameSession } from './sessions/change.js';
import type { SessionsCommand } from './sessions/command.js';
import { listStoredSessions } from './sessions/list.js';
import { showSession } from './sessions/show.js';
import type { Subcommand } from './subcommand.js';

const VERBS: Readonly<Record<string, (command: SessionsCommand) => Promise<void>>> = {
  list: listStoredSessions,
  show: showSession,
  rename: renameSession,
  delete: deleteSession,
  fork: forkSession,
};

const FLAGS = {
  all: { type: 'boolean' },
  limit: { type: 'string' },
  cursor: { type: 'string' },
  at: { type: 'string' },
  'output-format': { type: 'string', short: 'o' },
} as const satisfies ParseArgsOptionsConfig;

const HELP = `Usage: qwen sessions <verb> [--output-format json]

  list [--all] [--limit N] [--cursor C]   The sessions of this folder, or of all; the one used last first.
  show ID [--limit N] [--cursor C]        The messages of a session.
  rename ID TITLE                         Give a session a title.
  delete ID                               Remove a session for good.
  fork ID [--at MESSAGE_ID]               Copy a session, up to a message, and print the new id.
`;

/** `qwen sessions`: the sessions on the disk. */
export const runSessions: Subcommand = async ({ words, environment, cwd, print }) => {
  const [verb = 'help', ...rest] = words;
  if (verb === 'help' || verb === '--help' || verb === '-h') {
    await print(HELP);
    return 0;
  }
  const run = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (run === undefined) {
    throw new AgentError('usage', `sessions: "${verb}" is not one of ${Object.keys(VERBS).join(', ')}`);
  }
  const { positionals, values } = readWords(rest);
  const format = values['output-format'] ?? 'text';
  if (format !== 'text' && format !== 'json') {
    throw new AgentError('usage', `sessions: --output-format is text or json, not "${format}"`);
  }
  const store = createFileStore({ directory: sessionsFolder(findQwenHome(environment, cwd)) });
  await run({ store, words: positionals, asJson: format === 'json', flags: values, cwd, print });
  return 0;
};

function readWords(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options: FLAGS, allowPositionals: true });
  } catch (thrown) {
    throw new AgentError('usage', `sessions: ${AgentError.from(thrown).message}`);
  }
}
