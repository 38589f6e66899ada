import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary home and working folder. Use `await using`. */
export interface Workspace extends AsyncDisposable {
  /** The parent folder, also for temporary files. */
  readonly root: string;
  readonly cwd: string;
  /** Isolated from the user's configuration. */
  env(baseUrl: string): Record<string, string>;
}

/** Variables that programs need to start. */
const PASSED_ON = ['PATH', 'TMPDIR', 'LANG', 'SYSTEMROOT'];

export async function createWorkspace(): Promise<Workspace> {
  const root = await mkdtemp(join(tmpdir(), 'qwen-bench-'));
  const cwd = join(root, 'project');
  await mkdir(cwd);
  return {
    root,
    cwd,
    env: (baseUrl) => ({
      ...passedOn(),
      HOME: root,
      USERPROFILE: root,
      XDG_CACHE_HOME: join(root, 'cache'),
      QWEN_HOME: join(root, 'qwen'),
      OPENAI_BASE_URL: baseUrl,
      OPENAI_API_KEY: 'sk-bench',
      OPENAI_MODEL: 'bench',
    }),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  };
}

function passedOn(): Record<string, string> {
  const entries = PASSED_ON.map((name) => [name, process.env[name]] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, string] => entry[1] !== undefined));
}
