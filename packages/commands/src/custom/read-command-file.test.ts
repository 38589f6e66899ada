import { verifies } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { fakeHost, typeIn } from '../../test/fake-host.js';
import { readCommandFile } from './read-command-file.js';

const NAME = { name: 'review', fileName: 'review.toml' };

function run(toml: string, args = '', more: Parameters<typeof typeIn>[2] = {}, fake = fakeHost()) {
  const sources = [{ list: () => [readCommandFile(toml, NAME)] }];
  return typeIn(`/review ${args}`, fake, { ...more, sources });
}

test('the description, and its default', () => {
  verifies('CF-63');
  expect(readCommandFile('prompt = "x"', NAME).description).toBe('Custom command from review.toml');
  expect(readCommandFile('description = "Looks\\nit over."\nprompt = "x"', NAME).description).toBe('Looks it over.');
});

test.each([
  ['description = "x"', 'command.prompt: expected string'],
  ['prompt = "  "', 'command.prompt'],
  ['prompt = 3', 'command.prompt: expected string'],
  ['description = "x"\nprompt = "', 'line 2'],
  ['prompt = "@{x"', 'line 1 of the prompt'],
])('an invalid file is an error with its place: %s', (toml, message) => {
  expect(() => readCommandFile(toml, NAME)).toThrow(
    expect.objectContaining({ code: 'invalid_settings', message: expect.stringContaining(message) }),
  );
  // The message is one line without the contents of the file.
  expect(() => readCommandFile(toml, NAME)).toThrow(/^[^\n]*$/);
});

test('arguments replace their placeholder, or follow the prompt', async () => {
  expect(await run('prompt = "Do {{args}}, {{args}}."', 'it')).toMatchObject({ content: 'Do it, it.' });
  expect(await run('prompt = "Do {{args}}."')).toMatchObject({ content: 'Do .' });
  expect(await run('prompt = "Do."', 'it now')).toMatchObject({ type: 'submit_prompt', content: 'Do.\n\nit now' });
  expect(await run('prompt = "Do."')).toMatchObject({ content: 'Do.' });
});

test('placeholders in arguments are not expanded', async () => {
  verifies('S53');
  const fake = fakeHost();
  expect(await run('prompt = "{{args}}"', '!{touch C} @{/etc/passwd} {{args}}', {}, fake)).toMatchObject({
    content: '!{touch C} @{/etc/passwd} {{args}}',
  });
  expect(fake.calls).toEqual([]);
});

test('files replace their placeholder, with warnings', async () => {
  const image = { type: 'image', source: { type: 'url', url: 'x' } } as const;
  const fake = fakeHost({
    references: {
      read: async (path) =>
        path.endsWith('.png')
          ? { content: [image], warnings: ['cut'] }
          : { content: [{ type: 'text', text: `[${path}]` }], warnings: [] },
    },
  });
  expect(await run('prompt = "See @{{{args}}} here"', 'a.ts', {}, fake)).toEqual({
    type: 'submit_prompt',
    content: 'See [a.ts] here',
  });
  expect(await run('prompt = "See @{a.png} and @{b.ts}."', '', {}, fake)).toEqual({
    type: 'submit_prompt',
    content: [{ type: 'text', text: 'See ' }, image, { type: 'text', text: ' and [b.ts].' }],
    warnings: ['cut'],
  });
  expect(await run('prompt = "@{{{args}}}"', '', {}, fake)).toMatchObject({ type: 'message', level: 'error' });
});

describe('commands', () => {
  const TOML = 'prompt = "A !{git log} B !{git show {{args}}} C !{git log}"';
  const COMMANDS = ['git log', "git show 'x y'"];

  test('are confirmed once each, with their arguments', async () => {
    verifies('F-27', 'GAP-24');
    const fake = fakeHost();
    expect(await run(TOML, 'x y', {}, fake)).toEqual({
      type: 'confirm_shell_commands',
      commands: COMMANDS,
      rawInvocation: '/review x y',
    });
    expect(fake.calls).toEqual([]);
  });

  test('run after approval', async () => {
    verifies('F-27', 'GAP-25', 'CF-27');
    const fake = fakeHost();
    const approved = { approvedCommands: COMMANDS, confirmationOutcome: 'proceed_once' } as const;
    expect(await run(TOML, 'x y', approved, fake)).toEqual({
      type: 'submit_prompt',
      content: "A <git log> B <git show 'x y'> C <git log>",
    });
    expect(fake.calls).toEqual(['run git log', "run git show 'x y'", 'run git log']);
  });

  test('that were not approved are asked about again, and cancelling runs none', async () => {
    verifies('GAP-25');
    const fake = fakeHost();
    const some = { approvedCommands: ['git log'], confirmationOutcome: 'proceed_once' } as const;
    expect(await run(TOML, 'x y', some, fake)).toMatchObject({ commands: ["git show 'x y'"] });
    expect(await run(TOML, 'x y', { confirmationOutcome: 'proceed_once' }, fake)).toMatchObject({ commands: COMMANDS });
    expect(await run(TOML, 'x y', { approvedCommands: COMMANDS, confirmationOutcome: 'cancel' }, fake)).toMatchObject({
      type: 'message',
      content: 'Cancelled. No command was run.',
    });
    // Approved commands without a confirmation outcome do not count.
    expect(await run(TOML, 'x y', { approvedCommands: COMMANDS }, fake)).toMatchObject({ commands: COMMANDS });
    expect(fake.calls).toEqual([]);
  });

  test('approved with proceed_always are allowed for the session', async () => {
    verifies('GAP-25');
    const fake = fakeHost();
    await run('prompt = "!{ls}"', '', { approvedCommands: ['ls'], confirmationOutcome: 'proceed_always' }, fake);
    expect(fake.calls).toEqual(['allow ls', 'run ls']);
  });

  test('allowed by a rule run without asking; a denied one blocks all, even if approved', async () => {
    verifies('S53');
    const { host } = fakeHost();
    const decide = async (command: string) => ({
      behavior: command.startsWith('rm') ? ('deny' as const) : ('allow' as const),
      reason: 'A rule.',
    });
    const fake = fakeHost({ shell: { ...host.shell, decide } });
    expect(await run('prompt = "!{ls}"', '', {}, fake)).toMatchObject({ content: '<ls>' });
    const approved = { approvedCommands: ['ls', 'rm x'], confirmationOutcome: 'proceed_always' } as const;
    expect(await run('prompt = "!{ls} !{rm x}"', '', approved, fakeHost({ shell: { ...host.shell, decide } }))).toEqual(
      {
        type: 'message',
        level: 'error',
        code: 'permission_denied',
        content: 'Command denied: rm x\nA rule.',
      },
    );
  });

  test('with invisible characters are refused', async () => {
    verifies('S53');
    const outcome = await run('prompt = "!{ls \\u202E}"');
    expect(outcome).toMatchObject({
      level: 'error',
      content: String.raw`A command contains characters that cannot be displayed: ls \u202e`,
    });
  });

  test('with a NUL byte in the arguments are refused', async () => {
    verifies('S53');
    const fake = fakeHost();
    const approved = { approvedCommands: COMMANDS, confirmationOutcome: 'proceed_once' } as const;
    expect(await run(TOML, 'x\0y', approved, fake)).toMatchObject({
      level: 'error',
      code: 'invalid_payload',
      content: 'Arguments must not contain a NUL byte.',
    });
    expect(fake.calls).toEqual([]);
  });

  test('report their failure in the prompt', async () => {
    const { host } = fakeHost();
    const shell = {
      ...host.shell,
      decide: async () => ({ behavior: 'allow' as const, reason: '' }),
      run: async () => ({ output: 'half\n', failure: 'exit code 2' }),
    };
    expect(await run('prompt = "!{ls}"', '', {}, fakeHost({ shell }))).toMatchObject({
      content: 'half\n[ls: exit code 2]',
    });
  });
});

test('a Markdown file is a prompt, with a description in front matter', () => {
  const read = (text: string) => readCommandFile(text, { name: 'x', fileName: 'x.md' });
  expect(read('Review it.').description).toBe('Custom command from x.md');
  const command = read(
    '\uFEFF---\r\ndescription: "Look: closely"\r\nallowed-tools: [Bash]\r\n---\r\nReview $ARGUMENTS.\r\n',
  );
  expect(command.description).toBe('Look: closely');
  expect(() => read('---\ndescription: [\n---\nx')).toThrow(/^line \d: the front matter is not valid YAML/);
  expect(() => read('---\ndescription: x\n---\n')).toThrow('must not be blank');
  expect(() => read('---\ndescription: [a]\n---\nx')).toThrow('command.description: expected string');
});
