import { findConfigDir } from '@qwen/host/config/config-dir.js';
import type { Environment } from '@qwen/host/config/env.js';
import { type Configuration, loadConfiguration } from '@qwen/host/config/load-config.js';
import { loadFiles } from '@qwen/host/config/load-files.js';
import type { Flags } from '@qwen/host/flags/args.js';

interface SessionSources {
  readonly flags: Flags;
  readonly environment: Environment;
  /** The folder of the session; absolute. */
  readonly cwd: string;
}

/** The configuration of a session that a client opens in any folder. Rejects as `loadFiles` does. */
export async function configureSession({ flags, environment, cwd }: SessionSources): Promise<Configuration> {
  const sources = { configDir: findConfigDir(environment, cwd), cwd, flags };
  return loadConfiguration({ flags, environment, cwd, ...(await loadFiles(sources)) });
}
