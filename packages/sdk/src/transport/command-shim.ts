import { dirname, win32 } from 'node:path';

/**
 * The script behind a `.cmd` file that a package manager made on Windows, or undefined when the text is no such
 * file. We start the script with Node.js ourselves, because running a `.cmd` needs a shell, and a shell reads its
 * arguments as code (S90).
 */
export function scriptOfCommandShim(text: string, shimPath: string): string | undefined {
  const relative = /"%(?:~dp0|dp0%)\\?([^"%]+\.[cm]?js)"/i.exec(text)?.[1];
  if (relative === undefined) return undefined;
  const folder = shimPath.includes('\\') ? win32.dirname(shimPath) : dirname(shimPath);
  return win32.join(folder, relative);
}
