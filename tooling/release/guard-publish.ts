// `prepublishOnly` of each published package. npm would publish the `workspace:` ranges and the source entries that
// pnpm replaces, and a package without a build would be empty.
import { existsSync } from 'node:fs';

const { npm_config_user_agent: program = '' } = process.env;
const reason = !program.startsWith('pnpm/')
  ? 'npm cannot publish a workspace. Run "pnpm publish --access public" in this folder.'
  : existsSync('dist')
    ? undefined
    : 'There is no dist folder. Run "pnpm build" first.';
if (reason !== undefined) {
  process.stderr.write(`${process.env['npm_package_name'] ?? 'This package'} was not published. ${reason}\n`);
  process.exitCode = 1;
}
