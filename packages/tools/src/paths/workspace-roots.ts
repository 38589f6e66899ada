import { parse, sep } from 'node:path';
import { containsPersonalSecrets, isInProtectedFolder, isPersonalSecret } from '@qwen/agent';

const SYSTEM_TREES =
  /^(?:\/(?:private\/)?etc|\/bin|\/sbin|\/lib(?:32|64|x32)?|\/usr\/(?:s?bin|lib(?:32|64|exec|x32)?|share|include)|\/boot|\/dev|\/proc|\/sys|\/run(?!\/(?:media|user)\/)|(?:\/private)?\/var\/(?:backups|cache|db|lock|log|mail|root|run|spool)|\/System|\/Library|[a-z]:\\(?:windows|program files(?: \(x86\))?|programdata))(?:[\\/]|$)/;
/** These may contain projects. */
const TOO_WIDE = new Set([
  '/usr',
  '/usr/local',
  '/var',
  '/var/lib',
  '/private',
  '/private/var',
  '/opt',
  '/home',
  '/Users',
  '/root',
]);

/** Why a folder (a real path) cannot be added to a workspace; undefined if it can. */
export function rootProblem(folder: string, homeDirectory: string): string | undefined {
  if (folder === parse(folder).root) return 'the root of a file system';
  if (folder === homeDirectory) return 'the home folder';
  if (homeDirectory.startsWith(`${folder}${sep}`)) return 'a parent of the home folder';
  const isSystem = SYSTEM_TREES.test(folder.includes('\\') ? folder.toLowerCase() : folder) || TOO_WIDE.has(folder);
  if (isSystem) return 'a system folder';
  if (isInProtectedFolder(folder) || isPersonalSecret({ path: folder, realPath: folder })) return 'a protected folder';
  return containsPersonalSecrets(folder, homeDirectory) ? 'a parent of a protected folder' : undefined;
}
