import { fileURLToPath } from 'node:url';
import { Application, type PageEvent, type ProjectReflection, ReflectionKind } from 'typedoc';
import { MarkdownPageEvent } from 'typedoc-plugin-markdown';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The entries of the package, by the file that defines each. */
const ENTRIES = {
  '@qwen/sdk': 'packages/sdk/src/index.ts',
  '@qwen/sdk/ai': 'packages/sdk/src/ai/index.ts',
  '@qwen/sdk/claude': 'packages/sdk/src/claude/index.ts',
  '@qwen/sdk/stores': 'packages/sdk/src/stores/index.ts',
  '@qwen/sdk/terminal': 'packages/sdk/src/terminal/index.ts',
  '@qwen/sdk/bundle': 'packages/sdk/src/bundle/index.ts',
  '@qwen/sdk/testing': 'packages/sdk/src/testing/index.ts',
};

/** Options of typedoc-plugin-markdown. */
const FORMAT = {
  router: 'member',
  entryFileName: 'index',
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  tableColumnSettings: { hideModifiers: true, hideSources: true },
};

/** Reads the exports of @qwen/sdk. The compiler of the repository checks the types, so this does not. */
export async function readSdk(): Promise<{ readonly app: Application; readonly project: ProjectReflection }> {
  const app = await Application.bootstrapWithPlugins({
    name: '@qwen/sdk',
    entryPoints: Object.values(ENTRIES).map((file) => ROOT + file),
    tsconfig: fileURLToPath(new URL('typedoc.tsconfig.json', import.meta.url)),
    plugin: ['typedoc-plugin-markdown'],
    readme: 'none',
    skipErrorChecking: true,
    excludePrivate: true,
    excludeInternal: true,
    excludeExternals: true,
    disableGit: true,
    displayBasePath: ROOT,
    sourceLinkTemplate: 'https://github.com/qwen-agent/qwen/blob/main/{path}#L{line}',
    logLevel: 'Warn',
    ...FORMAT,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('typedoc cannot read packages/sdk/src.');
  for (const [index, name] of Object.keys(ENTRIES).entries()) {
    const entry = project.children?.[index];
    if (entry !== undefined) entry.name = name;
  }
  // Destructured parameters have no name in the source.
  for (const parameter of project.getReflectionsByKind(ReflectionKind.Parameter)) {
    if (parameter.name === '__namedParameters') parameter.name = 'options';
  }
  return { app, project };
}

/** Writes a page per export into `folder`. */
export async function writeApiReference(folder: string): Promise<void> {
  const { app, project } = await readSdk();
  app.renderer.on(MarkdownPageEvent.END, (page: PageEvent) => {
    if (page.contents !== undefined) page.contents = toAttributes(page.contents);
  });
  await app.outputs.writeOutput({ name: 'markdown', path: folder }, project);
}

/** The anchors of table rows as attributes: the site renders no HTML. */
function toAttributes(markdown: string): string {
  return markdown.replaceAll(/<a id="([^"]+)"><\/a> (`[^`]+`)/g, '$2{#$1}').replaceAll(/<a id="[^"]+"><\/a> ?/g, '');
}
