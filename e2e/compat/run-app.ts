import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import {
  isolatedEnvironment,
  type ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedReply,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

const CHANGE_IMPORT = new URL('change-import.mjs', import.meta.url);

export interface AppRun {
  readonly args?: readonly string[];
  readonly input?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** A module that changes imports. Default: to the package of this repository. */
  readonly hook?: URL;
  /** Keeps the package that the app was written for. */
  readonly keepsImport?: boolean;
}

export interface Bench extends AsyncDisposable {
  readonly workspace: TemporaryFolder;
  readonly home: TemporaryFolder;
  readonly model: ScriptedModel;
  /** The lines that an app of this folder prints. Rejects with its stderr if it fails. */
  run(app: string, options?: AppRun): Promise<string[]>;
}

/** Where an app runs as a program of its own, with the built SDK and CLI. */
export async function openBench(
  script: (workspace: TemporaryFolder) => readonly ScriptedReply[],
  options?: ScriptedModelOptions,
): Promise<Bench> {
  const folder = await temporaryFolder();
  const home = await temporaryFolder();
  const model = await startScriptedModel(script(folder), options);
  const env = isolatedEnvironment(home.path, model.env);
  return {
    workspace: folder,
    home,
    model,
    async run(app, { args = [], input = [], env: own = {}, hook = CHANGE_IMPORT, keepsImport = false } = {}) {
      const file = fileURLToPath(new URL(`${app}.ts`, import.meta.url));
      const hooks = keepsImport ? [] : ['--import', hook.href];
      const child = spawn(process.execPath, [...hooks, file, ...args], { cwd: folder.path, env: { ...env, ...own } });
      const exited = new Promise<number | null>((resolve, reject) => child.on('error', reject).on('close', resolve));
      child.stdin.end(input.map((line) => `${line}\n`).join(''));
      const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
      if (code !== 0) throw new Error(`${app} exited with ${code}: ${stderr}\n${stdout}`);
      return stdout.split('\n').filter((line) => line !== '');
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
