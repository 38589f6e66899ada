import { toSessionInfo } from '../../dialects/stored-sessions.js';
import type { SessionsCommand } from './command.js';
import { plainLine, readLimit, takeWords } from './words.js';

const TITLE_LENGTH = 60;

/** `qwen sessions list` */
export async function listStoredSessions(command: SessionsCommand): Promise<void> {
  const { store, words, asJson, flags, cwd, print } = command;
  takeWords(words, []);
  const { sessions, nextCursor } = await store.list({
    ...(flags.all !== true && { cwd }),
    ...readLimit(flags.limit),
    ...(flags.cursor !== undefined && { cursor: flags.cursor }),
  });
  const infos = sessions.map(toSessionInfo);
  if (asJson) {
    await print(
      `${JSON.stringify({ sessions: infos, ...(nextCursor !== undefined && { next_cursor: nextCursor }) })}\n`,
    );
    return;
  }
  for (const { session_id, modified_at, title, first_prompt, cwd: folder } of infos) {
    const name = plainLine(title ?? first_prompt ?? '', TITLE_LENGTH);
    await print(`${session_id}  ${modified_at.slice(0, 16)}  ${name}${flags.all === true ? `  ${folder}` : ''}\n`);
  }
  if (nextCursor !== undefined) await print(`More: --cursor ${nextCursor}\n`);
}
