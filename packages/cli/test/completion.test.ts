import { execFile } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { says } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { BIN, openCliFixture, prompt, RESULT } from './cli-fixture.js';

const run = promisify(execFile);
const ID = '0f9d2c52-3c0a-4f1e-9d59-0d8a3c9a1b11';

/** How each shell is made to complete a line, and to print what it offers. */
const SHELLS: Readonly<Record<string, (line: string) => readonly string[]>> = {
  bash: (line) => [
    '--noprofile',
    '--norc',
    '-c',
    `source <(qwen completion bash); COMP_WORDS=(${line} ""); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _qwen; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  fish: (line) => ['--no-config', '-c', `qwen completion fish | source; complete -C "${line} "`],
  // Its completion runs only while a line is typed, so it types one into another of itself.
  zsh: (line) => [
    '-f',
    '-c',
    `zmodload zsh/zpty
     qwen completion zsh > _qwen
     zpty inner zsh -f -i
     zpty -w inner 'PS1=; bindkey -e; autoload -U compinit; compinit -u -D; source ./_qwen'
     zpty -w inner 'print REA''DY'
     while zpty -r inner text; do [[ $text == *READY* ]] && break; done
     # What was completed is printed with the line that it stands in, which then says nothing to run.
     zpty -w -n inner $'${line} \\t\\t\\C-a: \\n'
     while zpty -r inner text; do print -r -- "$text"; [[ $text == *(show|${ID})* ]] && break; done
     zpty -d inner`,
  ],
};

/** The shells of this machine. */
async function installed(): Promise<readonly string[]> {
  const names = Object.keys(SHELLS);
  const found = await Promise.all(
    names.map((name) =>
      run(name, ['--version'])
        .then(() => [name])
        .catch(() => []),
    ),
  );
  return found.flat();
}

test.each(await installed())(
  '%s completes verbs, flags and sessions',
  async (shell) => {
    await using fixture = await openCliFixture([says('Two.')]);
    const agent = await fixture.startMachine(['--session-id', ID]);
    agent.send(prompt('How many?'));
    agent.endInput();
    await agent.next(RESULT);
    await agent.exited;
    const program = await fixture.workspace.write('bin/qwen', `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
    await chmod(program, 0o755);
    const env = { ...fixture.env, PATH: `${dirname(program)}${delimiter}${process.env['PATH']}`, TERM: 'dumb' };
    const complete = async (line: string) => {
      const args = SHELLS[shell]?.(line) ?? [];
      return (await run(shell, args, { env, cwd: fixture.workspace.path, timeout: 20_000 })).stdout;
    };
    const verbs = await complete('qwen sessions');
    for (const verb of ['list', 'rename', 'show']) expect(verbs).toContain(verb);
    expect(await complete('qwen --resume')).toContain(ID);
  },
  60_000,
);

test('prints no failure while the user completes a word', async () => {
  await using fixture = await openCliFixture();
  await fixture.workspace.write('home/.qwen/settings.json', '{');
  const program = await fixture.start(['__complete', 'mcp', 'remove', '']);
  program.endInput();
  expect(await program.exited).toMatchObject({ code: 0 });
  expect([program.lines, program.stderr]).toEqual([[], '']);
}, 30_000);
