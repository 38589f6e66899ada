import type { FindFileRules } from '../../core/file-rules.js';
import type { SessionService } from '../../core/session-service.js';
import type { ChatHandlersOf } from '../http/chat-call.js';
import { listFolder } from './list-folder.js';
import { readFile } from './read-file.js';
import { searchFiles } from './search-files.js';
import { openWorkspace, type Workspace } from './workspace.js';
import { FileWriter } from './write-file.js';

type FileRoutes = '/api/files/read' | '/api/files/write' | '/api/files/search' | '/api/files/list';

export function fileHandlers(sessions: SessionService, findRules?: FindFileRules): ChatHandlersOf<FileRoutes> {
  const writer = new FileWriter();
  const find = async (sessionId: string): Promise<Workspace> =>
    openWorkspace(await sessions.getChecked(sessionId), findRules);
  return {
    '/api/files/read': async ({ sessionId, ...request }) => {
      const found = await readFile(await find(sessionId), request);
      return { success: true, path: request.path, ...found };
    },
    '/api/files/write': async ({ sessionId, ...request }) => {
      const bytesWritten = await writer.write(await find(sessionId), request);
      return { success: true, path: request.path, bytesWritten };
    },
    '/api/files/search': async ({ sessionId, ...request }, { signal }) => {
      const found = await searchFiles(await find(sessionId), { ...request, signal });
      return { success: true, ...found };
    },
    '/api/files/list': async ({ sessionId, path }) => {
      const found = await listFolder(await find(sessionId), path);
      return { success: true, path, ...found };
    },
  };
}
