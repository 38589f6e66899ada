import { execFile } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  calls,
  isolatedEnvironment,
  lastText,
  says,
  startScriptedModel,
  type TemporaryFolder,
  temporaryFolder,
} from '@qwen/testkit';

const run = promisify(execFile);

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
export const SDK_FOLDER = `${REPOSITORY}packages/sdk`;

/** What npm would install of our packages. */
const PUBLISHED = { sdk: ['dist', 'package.json'], cli: ['bin', 'dist', 'package.json'] } as const;

/** Runs a query with its own tool, and prints the answer. */
export const GREETING_APP = `
  import { createSdkMcpServer, query, tool } from '@qwen/sdk';
  const shape = { type: 'object', properties: {} };
  const greet = tool('greet', 'Greets.', shape, () => ({ content: [{ type: 'text', text: 'from the bundled app' }] }));
  const mcpServers = { app: createSdkMcpServer({ name: 'app', tools: [greet] }) };
  const canUseTool = () => ({ behavior: 'allow' });
  async function main() {
    const conversation = query({ prompt: 'hi', options: { mcpServers, canUseTool } });
    for await (const message of conversation) if (message.type === 'result') console.log(message.result);
  }
  main();
`;

/** A folder as an app's author has it: a package that depends on the built SDK. */
export async function createProject(files: Readonly<Record<string, string>>): Promise<TemporaryFolder> {
  const folder = await temporaryFolder();
  await mkdir(folder.resolve('node_modules', '@qwen'), { recursive: true });
  await symlink(SDK_FOLDER, folder.resolve('node_modules', '@qwen', 'sdk'), 'junction');
  await symlink(`${REPOSITORY}node_modules/@types`, folder.resolve('node_modules', '@types'), 'junction');
  await folder.write('package.json', '{ "name": "an-app", "type": "module" }');
  for (const [name, text] of Object.entries(files)) await folder.write(name, text);
  return folder;
}

/** Puts a copy of one of our packages into a folder's `node_modules`, as npm does. */
export async function install(name: keyof typeof PUBLISHED, folder: string): Promise<void> {
  for (const part of PUBLISHED[name]) {
    const target = `${folder}/node_modules/@qwen/${name}/${part}`;
    await cp(`${REPOSITORY}packages/${name}/${part}`, target, { recursive: true });
  }
}

/** Calls `copyCli()` of the project's SDK, as a build script does. */
export async function copyCliIn(project: TemporaryFolder, folder: string): Promise<void> {
  const script = `import { copyCli } from '@qwen/sdk/bundle'; await copyCli(${JSON.stringify(folder)});`;
  await run(process.execPath, ['--input-type=module', '-e', script], { cwd: project.path });
}

/** Runs an app that greets through a tool, with its own home and workspace, and returns what it printed. */
export async function runApp(file: string, cwd: string): Promise<string> {
  await using model = await startScriptedModel([
    calls({ name: 'mcp__app__greet', input: {} }),
    (request) => says(`The tool said: ${lastText(request)}`),
  ]);
  const env = isolatedEnvironment(`${cwd}/home`, model.env);
  const { stdout } = await run(process.execPath, [file], { cwd, env });
  return stdout;
}
