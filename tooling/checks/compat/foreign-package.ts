import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A published package, unpacked without its dependencies. The caller disposes it. */
export interface ForeignPackage extends AsyncDisposable {
  readonly folder: string;
  readonly version: string;
}

/** Rejects if npm is missing or the registry cannot be reached. */
export async function fetchPackage(name: string, version: string): Promise<ForeignPackage> {
  const parent = await mkdtemp(join(tmpdir(), 'compat-'));
  const remove = () => rm(parent, { recursive: true, force: true });
  try {
    const args = ['pack', `${name}@${version}`, '--json', '--pack-destination', parent];
    const { stdout } = await run('npm', args, { cwd: parent, timeout: 300_000 });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const folder = join(parent, 'package');
    await mkdir(folder);
    const archive = join(parent, filename.replace('@', '').replace('/', '-'));
    await run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder]);
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
    return { folder, version: manifest.version, [Symbol.asyncDispose]: remove };
  } catch (thrown) {
    await remove();
    throw thrown;
  }
}
