import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Check, DoctorContext, Finding } from './finding.js';

const LOW_BYTES = 500 * 1024 * 1024;
const FULL_BYTES = 10 * 1024 * 1024;
/** Files with secrets or user data in the configuration directory. */
const PRIVATE = [
  'settings.json',
  'credentials.json',
  'mcp-tokens.json',
  'trusted-folders.json',
  'mcp-approvals.json',
  'sessions',
];

/** The configuration directory: writable, private, enough space. */
export const checkStorage: Check = async (place) => {
  const { configDir } = place;
  const own = await stat(configDir).catch(() => undefined);
  if (own === undefined) {
    const parent = await nearestFolder(configDir);
    const message = `${configDir} does not exist yet; it is created on demand`;
    return [await checkWritable(parent, message), ...(await checkRoom(parent))];
  }
  if (!own.isDirectory()) {
    const advice = 'Move it away, or set QWEN_HOME to a folder.';
    return [{ area: 'storage', level: 'error', message: `${configDir} is not a folder`, advice, path: configDir }];
  }
  return [await checkWritable(configDir, configDir), ...(await checkPrivacy(place)), ...(await checkRoom(configDir))];
};

async function checkWritable(folder: string, message: string): Promise<Finding> {
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return { area: 'storage', level: 'ok', message };
  } catch {
    const advice = 'Change its owner, or set QWEN_HOME to another folder.';
    return { area: 'storage', level: 'error', message: `${folder} cannot be written`, advice, path: folder };
  }
}

/** Windows protects user profiles by default. */
async function checkPrivacy({ configDir }: DoctorContext): Promise<readonly Finding[]> {
  if (process.platform === 'win32') return [];
  const paths = [configDir, ...PRIVATE.map((name) => join(configDir, name))];
  const open = await Promise.all(
    paths.map(async (path) => {
      const mode = (await stat(path).catch(() => undefined))?.mode ?? 0;
      return (mode & 0o077) === 0 ? [] : [{ path, mode: (mode & 0o777).toString(8).padStart(4, '0') }];
    }),
  );
  return open.flat().map(({ path, mode }) => ({
    area: 'storage',
    level: 'warning',
    message: `other users of this machine can read ${path} (${mode})`,
    advice: `chmod go= '${path}'`,
    path,
  }));
}

async function checkRoom(folder: string): Promise<readonly Finding[]> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free > LOW_BYTES) return [];
  const message = `only ${Math.floor(free / 1024 / 1024)} MB are free for ${folder}`;
  const advice = 'Free some space: with a full disk, turns end before the next tool call.';
  return [{ area: 'storage', level: free < FULL_BYTES ? 'error' : 'warning', message, advice, path: folder }];
}

async function nearestFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  return found !== undefined || dirname(path) === path ? path : nearestFolder(dirname(path));
}
