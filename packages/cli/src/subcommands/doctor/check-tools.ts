import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { promisify } from 'node:util';
import { findProgram, findRipgrep } from '@qwen/tools';
import type { Check, Finding } from './finding.js';

const TIMEOUT_MS = 5000;

export const checkTools: Check = async ({ cwd, variables }) => {
  const search = { searchPath: variables['PATH'] ?? '', project: cwd };
  const versionOf = (name: string) => versionFrom(findProgram(name, search));
  const [ripgrep, git, shell] = await Promise.all([findRipgrep(search), versionOf('git'), versionOf('bash')]);
  return [
    ripgrep === undefined
      ? missing('ripgrep is not installed; searches are slower', 'Install ripgrep, or run npm install @vscode/ripgrep.')
      : { area: 'tools', level: 'ok', message: `ripgrep: ${ripgrep}` },
    git === undefined
      ? missing('git is not installed; ignored files are unknown', 'Install git.')
      : { area: 'tools', level: 'ok', message: git },
    shell === undefined
      ? missing('bash is not installed; commands run in sh', 'Install bash.')
      : { area: 'tools', level: 'ok', message: shell },
  ];
};

function missing(message: string, advice: string): Finding {
  return { area: 'tools', level: 'warning', message, advice };
}

async function versionFrom(program: string | undefined): Promise<string | undefined> {
  if (program === undefined) return undefined;
  try {
    const { stdout } = await promisify(execFile)(program, ['--version'], { cwd: homedir(), timeout: TIMEOUT_MS });
    return stdout.split('\n', 1)[0];
  } catch {
    return undefined;
  }
}
