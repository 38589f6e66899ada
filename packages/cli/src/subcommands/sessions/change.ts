import { toSessionInfo } from '../../dialects/stored-sessions.js';
import type { SessionsCommand } from './command.js';
import { takeWords } from './words.js';

/** `qwen sessions rename` */
export async function renameSession(command: SessionsCommand): Promise<void> {
  const { store, words } = command;
  const [sessionId, title] = takeWords(words, ['ID', 'TITLE']);
  await store.rename(sessionId, title);
  await tell(command, sessionId, `Renamed ${sessionId}`);
}

/** `qwen sessions delete` */
export async function deleteSession({ store, words, asJson, print }: SessionsCommand): Promise<void> {
  const [sessionId] = takeWords(words, ['ID']);
  await store.delete(sessionId);
  await print(asJson ? `${JSON.stringify({ deleted: true })}\n` : `Deleted ${sessionId}\n`);
}

/** `qwen sessions fork` */
export async function forkSession(command: SessionsCommand): Promise<void> {
  const { store, words, flags } = command;
  const [sourceId] = takeWords(words, ['ID']);
  const { cwd } = await store.summary(sourceId);
  const session = { sessionId: crypto.randomUUID(), cwd, createdAt: new Date().toISOString() };
  const { sessionId, log } = await store.fork(sourceId, session, {
    // Nobody needs the records here.
    sink: { add: () => undefined },
    ...(flags.at !== undefined && { upToMessageId: flags.at }),
  });
  await log.close();
  await tell(command, sessionId, sessionId);
}

async function tell({ store, asJson, print }: SessionsCommand, sessionId: string, text: string): Promise<void> {
  await print(asJson ? `${JSON.stringify(toSessionInfo(await store.summary(sessionId)))}\n` : `${text}\n`);
}
