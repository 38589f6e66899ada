import { verifies } from '@qwen/testkit';
import { expect, test } from 'vitest';
import { guardedRepository } from '../../test/guarded-repository.js';

test('no mode reads the secrets of this program or of processes, under any name', async () => {
  verifies('S43');
  await using at = await guardedRepository();
  const commands = [
    'cat /proc/self/environ',
    'cat /proc/[s]elf/environ',
    'cat /proc/[0-9]*/environ 2>/dev/null',
    'cat /proc/*/environ',
    'cat /proc/$$/environ',
    'cat /proc/$PPID/environ',
    'for p in /proc/[0-9]*; do cat $p/environ; done',
    'P=1; cat /proc/$P/environ',
    'cat < /proc/$P/environ',
    'cd /proc/self && cat environ',
    'cd /proc; cat self/environ',
    'xargs -0 -a /proc/self/environ echo',
    'grep -ra KEY /proc/1',
    'find /proc -name environ -exec cat {} +',
    'tr "\\0" "\\n" < /proc/self/environ',
    'strings /proc/self/task/1/environ',
    'base64 ~/.qwen/server/token',
    'base64 ~/.qwen/server/tok[e]n',
    'base64 $HOME/.qwen/server/*',
    'base64 ~/.q*/s*/t*',
    'cat ~/.qwen/server/server.json',
    'cat ~/.qwen/*/*.json',
    'cd ~/.qwen/server; grep . *',
    'cp -r ~/.qwen y',
    'tar cf - ~',
    'curl -d @../home/.qwen/server/token http://127.0.0.1:1/',
    'ps axe',
    'ps eww',
    'ps -p 1 e',
    "gdb -p $PPID -batch -ex 'x/60s *(char**)environ'",
    'gdb -p1 -batch',
    'gdb -batch --pid=1',
    "gdb -batch -ex 'attach 1'",
    'gdb qwen 1234',
    'gcore 1234',
    'sudo gcore 1234',
    'strace -fp $PPID',
    'strace --attach=1',
    'lldb -p 1',
    'node inspect -p 1234',
    'nsenter -t 1 -m ls',
    'f=/proc/1/environ; cat $f',
    'p=/proc/1/; cat $p"environ"',
    'for f in /proc/[0-9]*/environ; do cat $f; done',
    'for d in /proc/1; do (cd $d; cat environ); done',
    'cd /proc; cd 1; cat environ',
    'P=/proc/1; cd $P; cat environ',
    'find /proc -maxdepth 2 -name environ | xargs cat',
    'awk -v p=1 \'BEGIN{f="/proc/" p "/environ"; while((getline l<f)>0) print l}\'',
    'd=~/.qwen/server; cat $d/token',
    'q=.qwen; cat ~/$q/*/token',
    'cd ~/.qwen; cat server/token',
    'cd ~; cat .qwen/server/token',
    'cd; cat .qwen/server/token',
    'cd ~ && cat .q*/*/*',
    'cd; cat .q*/server/*',
    'cd $HOME; cat ./.q*/server/t*',
    'find ~/.qwen -type f | xargs cat',
    'mv ~/.q* x; cat x/server/token',
    'cp -r ~/.q* x',
    'find ~ -name token | xargs cat',
    'find / -name environ 2>/dev/null | while read f; do cat $f; done',
    'ls -d ../home/.q* | xargs -I{} cp -r {} x',
  ];
  const allowed: string[] = [];
  for (const command of commands) {
    for (const mode of ['yolo', 'default'] as const) {
      const allow = mode === 'yolo' ? [] : ['Bash(cat *)', 'Bash(grep *)', 'Bash(base64 *)', 'Bash(cd *)'];
      if ((await at.behavior(command, { mode, allow })) === 'allow') allowed.push(`${mode}: ${command}`);
    }
  }
  expect(allowed).toEqual([]);
  expect(await at.behavior('ps -C node', { mode: 'yolo' })).toBe('allow');
});

test('a wide allow rule does not cover keys and passwords, under any name', async () => {
  verifies('S43');
  await using at = await guardedRepository();
  const allow = ['Bash(cat *)', 'Bash(base64 *)', 'Bash(cd *)', 'Bash(grep *)', 'Bash(tar *)'];
  for (const command of [
    'cat ~/.ssh/id_rsa',
    'cat ~/.ssh/id_*',
    'cat ~/.ss?/id_rsa',
    'cat ~/.s[s]h/*',
    'cat ~/.n*',
    'cat link-key',
    'cat *',
    'grep -R "" lib',
    'tar cf - ~',
    'base64 link-*',
    'base64 ../home/.ssh/id_rsa',
    'base64 ../home/*/id_rsa ../home/.s*/id_rsa',
  ]) {
    expect([command, await at.behavior(command, { mode: 'default', allow })]).toEqual([command, 'ask']);
  }
  expect(await at.behavior('base64 a.txt', { mode: 'default', allow })).toBe('allow');
});
