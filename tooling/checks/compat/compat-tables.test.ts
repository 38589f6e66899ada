import { realpath } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { query } from '@qwen/sdk';
import { scriptedCli } from '@qwen/sdk/testing';
import { temporaryFolder } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { CLAUDE_AGENT_SDK } from './claude-agent-sdk.ts';
import { checkPage } from './compat-page.ts';
import { type CompatTable, faultsOf, printTables, rowsOf, type Section } from './compat-table.ts';
import { QWEN_CODE_SDK } from './qwen-code-sdk.ts';
import { readMembers } from './read-members.ts';

const THEIRS = `
  export type Options = { cwd?: string; maxTurns?: number; sandbox?: object };
  export type Mode = 'plan' | 'auto';
  export declare function query(): void;
`;

const OURS = `
  export type QueryOptions = { cwd?: string; maxTurns?: number; maxSessionTurns?: number };
  export type PermissionModeOption = 'plan' | 'default';
  export declare class Query { close(): void }
`;

const NESTED = `
  export {};
  type Base = { id: string };
  type Hidden = { secret?: string; shown: 'a' | 'b' };
  type Left = { kind: 'left'; left: string };
  type Right = { kind: 'right'; right: string };
  type List = Base & { items: readonly (Left | Right)[] };
  export type Options = {
    picked?: Pick<Hidden, 'shown'>;
    omitted?: Omit<Left, 'kind'>;
    list?: List | null;
    ask?: (question: { text: string }) => Promise<{ answer: Record<string, Base> }>;
  };
`;

const section: Section = {
  title: 'Options',
  theirs: 'Theirs.Options',
  ours: 'Ours.QueryOptions',
  names: 'written',
  same: 'cwd',
  alias: { maxTurns: '`maxSessionTurns`' },
  refused: [['sandbox', 'use a container']],
};

async function check(...sections: Section[]): Promise<{ faults: string[]; page: string }> {
  await using folder = await temporaryFolder();
  await folder.write('package.json', '{ "name": "theirs", "type": "module", "types": "index.d.ts" }');
  await folder.write('index.d.ts', THEIRS);
  await folder.write('ours.d.ts', OURS);
  const table: CompatTable = { packageName: 'theirs', version: '1.0.0', page: 'theirs.md', sections };
  const members = await readMembers(table, { theirs: folder.path, ours: folder.resolve('ours.js') });
  return { faults: faultsOf(table, members.sections, members.known), page: printTables(table, members.sections) };
}

describe('a table of names', { timeout: 60_000 }, () => {
  test('without a fault prints every name once', async () => {
    const modes: Section = {
      title: 'Modes',
      theirs: 'Theirs.Mode',
      ours: 'Ours.PermissionModeOption',
      lists: 'words',
      names: 'written',
      same: 'plan',
      refused: [['auto', 'use plan']],
    };
    const { faults, page } = await check(section, modes);
    expect(faults).toEqual([]);
    expect(page).toBe(
      [
        '### Options\n\nThe same (1): `cwd`.\n\n| name | here |\n|---|---|',
        '\n| `maxTurns` | alias: `maxSessionTurns` |\n| `sandbox` | refused: use a container |',
        '\n\n### Modes\n\nThe same (1): `plan`.\n\n| name | here |\n|---|---|\n| `auto` | refused: use plan |',
      ].join(''),
    );
  });

  test.each<[string, Partial<Section>, string]>([
    ['a member without a row', { refused: [] }, 'Options: sandbox: no row names it'],
    ['a row without a member', { same: 'cwd model' }, 'Options: model: their types do not have it'],
    ['two rows for a member', { same: 'cwd cwd' }, 'Options: cwd: two rows name it'],
    ['what is the same but does not exist', { same: 'cwd sandbox', refused: [] }, 'Options: sandbox: same, but our'],
    [
      'a refusal of what exists',
      { same: '', refused: [['cwd sandbox', 'no']] },
      'Options: cwd: refused, but our types',
    ],
    ['a refusal without a reason', { refused: [['sandbox', '']] }, 'Options: sandbox: a refusal needs a reason'],
    [
      'an alias of nothing',
      { alias: { maxTurns: 'turnLimit' } },
      'Options: maxTurns: an alias of turnLimit, which our',
    ],
    ['an alias that is not accepted', { alias: { maxTurns: 'cwd', sandbox: 'cwd' }, refused: [] }, 'do not take'],
    ['an alias of what can be read', { names: 'read' }, 'Options: maxTurns: an alias that our types have'],
    ['a type that is gone', { theirs: 'never' }, 'Options: the type has no members'],
  ])('reports %s', async (_name, change, fault) => {
    const { faults } = await check({ ...section, ...change });
    expect(faults).toContainEqual(expect.stringContaining(fault));
  });

  test('finds a new name at any depth', async () => {
    const changes: [before: string, after: string, name: string][] = [
      ['right: string', 'right: string; wrong: string', 'Right.wrong'],
      ['{ id: string }', '{ id: string; age: number }', 'List.age'],
      ["'shown'>", "'shown' | 'secret'>", 'Options.picked.secret'],
      ['left: string', 'left: string; more: string', 'Options.omitted.more'],
      ['Left | Right)', "Left | Right | { kind: 'up' })", 'List.items.kind=up'],
      ["'a' | 'b'", "'a' | 'b' | 'c'", 'Options.picked.shown=c'],
      ['{ text: string }', '{ text: string; title: string }', 'Options.ask(question).title'],
      ['{ answer:', '{ why: string; answer:', 'Options.ask().why'],
    ];
    await using folder = await temporaryFolder();
    await folder.write('package.json', '{ "name": "theirs", "type": "module", "types": "index.d.ts" }');
    await folder.write('index.d.ts', NESTED);
    await folder.write('ours.d.ts', `${NESTED}${OURS}`);
    for (const [index, [before, after]] of changes.entries()) {
      expect(NESTED).toContain(before);
      await folder.write(`changed${index}.d.ts`, NESTED.replace(before, after));
    }
    const names = changes.map((_change, index) => `Changed${index}`);
    const table: CompatTable = {
      packageName: 'theirs',
      version: '1.0.0',
      page: 'theirs.md',
      sections: [{ title: 'Nested', theirs: '', ours: '', lists: 'nested', names: 'read' }],
      imports: Object.fromEntries(names.map((name) => [name, `./${name.toLowerCase()}.js`])),
      nested: ['Theirs', ...names].map((name) => [name, 'Ours']),
    };
    const { sections } = await readMembers(table, { theirs: folder.path, ours: folder.resolve('ours.js') });
    expect(sections[0]?.theirs).toEqual(changes.map(([, , name]) => name));
  });

  test('throws for a type that the package no longer exports', async () => {
    await expect(check({ ...section, theirs: 'Theirs.Gone' })).rejects.toThrow("has no exported member 'Gone'");
  });
});

test('the page agrees with the types of the installed @qwen-code/sdk', { timeout: 60_000 }, async () => {
  const installed = new URL('../../../e2e/node_modules/@qwen-code/sdk', import.meta.url);
  const checked = await checkPage(QWEN_CODE_SDK, await realpath(fileURLToPath(installed)));
  expect(checked).toMatchObject({ faults: [], isStale: false });
});

const refusedIn = (title: string, table = CLAUDE_AGENT_SDK): string[] => {
  const found = table.sections.find((candidate) => candidate.title === title);
  return found === undefined ? [] : rowsOf(found).flatMap(({ name, verdict }) => (verdict === 'refused' ? [name] : []));
};

function start(options: object): void {
  query({ prompt: '', options });
}

describe('options that the tables call refused are refused by name', () => {
  test.each(refusedIn('Options'))('the option %s', (name) => {
    expect(() => start({ [name]: name === 'persistSession' ? false : 'x' })).toThrow(
      expect.objectContaining({ code: 'invalid_options', message: expect.stringContaining(`options.${name} is not`) }),
    );
  });

  test.each(refusedIn('Options', QWEN_CODE_SDK))('the option %s of @qwen-code/sdk', (name) => {
    expect(() => start({ [name]: name === 'extensions' ? ['a'] : true })).toThrow(`options.${name} is not supported`);
  });

  test.each(refusedIn('Forms of `systemPrompt`'))('%s of the system prompt', (name) => {
    const systemPrompt = { type: 'preset', preset: 'claude_code', [name]: true };
    expect(() => start({ systemPrompt })).toThrow(expect.objectContaining({ code: 'invalid_options' }));
  });

  test.each(refusedIn('Permission modes'))('the mode %s', (permissionMode) => {
    expect(() => start({ permissionMode })).toThrow(`options.permissionMode: ${permissionMode} is not supported`);
  });

  test.each(refusedIn('Members of `agents`'))('%s of an agent', (name) => {
    const agents = { a: { description: 'd', prompt: 'p', [name]: 'x' } };
    expect(() => start({ agents })).toThrow(`options.agents.0.${name} is not supported`);
  });

  test.each(refusedIn('Members of `mcpServers`'))('%s of a server', (name) => {
    const mcpServers = { a: { type: 'http', url: 'http://127.0.0.1:9', [name]: [] } };
    expect(() => start({ mcpServers })).toThrow(`options.mcpServers.a.${name} is not supported`);
  });

  test.each(refusedIn('Hook events'))('hooks of %s', (name) => {
    expect(() => start({ hooks: { [name]: [{ hooks: [() => ({})] }] } })).toThrow(
      `options.hooks.${name} is not supported`,
    );
  });

  test.each(refusedIn('Methods of a query'))('the method %s', async (name) => {
    const cli = scriptedCli(({ says }) => says('hi'));
    await using running = query({ prompt: 'x', options: { transport: cli.transport } });
    const method = Reflect.get(running, name) as () => Promise<unknown>;
    await expect(method.call(running)).rejects.toMatchObject({
      code: 'unsupported_by_cli',
      message: expect.stringContaining(`query.${name}() is not supported`),
    });
  });
});
