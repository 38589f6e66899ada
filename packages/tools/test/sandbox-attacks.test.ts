import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { chmod, link, realpath, rename, rm, symlink } from 'node:fs/promises';
import { createServer as createSite } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hasPrograms, processGone, startLineProcess, verifies, waitUntilGone } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { createGroup } from '../src/sandbox/limits.js';
import { openSandbox } from '../src/sandbox/sandbox.js';
import { SANDBOX_USERS, sandboxWorld, startSandboxRunner } from './sandbox-world.js';

const canTry = process.platform === 'linux' && hasPrograms('bwrap', 'perl', 'setpriv');
/** Numbers of ptrace, keyctl, io_uring_setup and mount. */
const CALLS = process.arch === 'arm64' ? [117, 219, 425, 40] : [101, 250, 425, 165];

const perl = (code: string) => `perl -MSocket -e '${code}'`;

/** Binds one socket to a relative path, and one to an absolute path. */
const LISTENS = `
for ("relative", "$ENV{PWD}/before") { push @all, IO::Socket::UNIX->new(Local => $_, Listen => 9) or die $! }
$| = 1; print qq({}\\n); sleep 1000;
`;

async function listen(server: Server, where: string | number): Promise<number> {
  await new Promise<void>((resolve) => server.listen(where, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** A site that several addresses of this machine reach. */
async function openSite() {
  const visited = new Set<string | undefined>();
  const server = createSite((request, response) => {
    const address = request.socket.localAddress;
    visited.add(address);
    const { port } = server.address() as { port: number };
    if (request.url === '/redirect') response.writeHead(302, { location: `http://127.0.0.3:${port}/page` }).end();
    else response.end(request.url === '/host' ? request.headers.host : `the page of ${address}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  const { port } = server.address() as { port: number };
  return { port, visited, [Symbol.asyncDispose]: async () => void server.close() };
}

describe.runIf(canTry).each(SANDBOX_USERS)('as $name', ({ uid }) => {
  test('a command changes only the workspace and temporary files', async () => {
    verifies('S118');
    await using world = await sandboxWorld({ uid });
    await world.write('outside', 'kept');
    await symlink(join(world.path, 'outside'), join(world.path, 'w/link'));
    const outside = join(world.path, 'outside');
    const inside = await world.run(
      'echo new > made && mkdir -p a/b && echo x > /tmp/y && mktemp >/dev/null && cat made',
      'cat /tmp/y',
    );
    expect(inside.map(({ output }) => output)).toEqual(['new\n', 'x\n']);
    expect(await world.breaches('rm made', 'false')).toEqual(['rm made']);
    const breaches = await world.breaches(
      `echo x > ${outside}`,
      'echo x > link',
      'echo x > ~/new',
      `ln ${outside} hard && echo x > hard`,
      `mv ${outside} moved`,
      `chmod 777 ${outside}`,
      `rm ${outside}`,
      'echo x > /etc/x',
      'echo x > /proc/self/root/etc/x',
      'echo x > /proc/1/root/etc/x',
      'cat /proc/sys/kernel/core_pattern > c && cat c > /proc/sys/kernel/core_pattern',
      'echo 3 > /proc/sys/vm/drop_caches',
      'echo x > /sys/kernel/mm/ksm/run',
      'for file in sysrq-trigger irq/0/smp_affinity scsi/scsi; do [ -w /proc/$file ] && exit 0; done; false',
      'mkdir /sys/fs/cgroup/x || mkdir /sys/fs/cgroup/pids/x',
      'mknod device b 8 0',
      'mv ../w ../w2',
    );
    expect(breaches).toEqual([]);
    expect(await world.read('outside')).toBe('kept');
    expect(readdirSync(join(world.path, 'h')).toSorted()).toEqual(['.qwen', '.ssh']);
  });

  test('secrets cannot be read under any name', async () => {
    verifies('S118');
    await using world = await sandboxWorld({ uid, denyRead: [] });
    await world.write('h/.ssh/id', 'SECRET');
    await world.write('h/.netrc', 'SECRET');
    await world.write('h/.qwen/mcp-tokens.json', 'SECRET');
    await world.write('h/.qwen/skills/a/run.sh', 'public');
    await world.write('elsewhere/aws/credentials', 'SECRET');
    await symlink(join(world.path, 'elsewhere/aws'), join(world.path, 'h/.aws'));
    await symlink(join(world.path, 'h/.ssh/id'), join(world.path, 'w/key'));
    const [found, shown] = await world.run(
      [
        'cat ~/.ssh/id ~/.netrc ~/.qwen/mcp-tokens.json ~/.aws/credentials key',
        'chmod -R 777 ~/.ssh ~/.netrc; cat ~/.ssh/id ~/.netrc /proc/self/root$HOME/.netrc /proc/1/root$HOME/.netrc',
        `cat ${world.path}/elsewhere/aws/credentials; mv ~/.ssh ~/x; umount ~/.ssh; cat ~/.ssh/id`,
        `grep -rs SECRET ${world.path} /proc/*/root${world.path}`,
      ].join('\n'),
      'cat /etc/shadow /etc/ssl/private/*; cat ~/.qwen/skills/a/run.sh',
    );
    expect(found?.output).not.toContain('SECRET');
    expect(shown?.output).toContain('public');
    expect(shown?.output).not.toContain('root:');
  });

  test('no command leaves a program that others could run with the rights of its owner', async () => {
    await using world = await sandboxWorld({ uid });
    const numbers = process.arch === 'arm64' ? { mknodat: 33, fchmodat: 53 } : { mknodat: 259, fchmodat: 268 };
    await world.run(
      'cp /bin/true a && cp /bin/true b && chmod 755 a && mkdir d && chmod +t d',
      "perl -MFcntl -e 'sysopen(F, q(plain), O_CREAT|O_RDWR, 0600) or die' && cat < plain && echo fine > plain",
    );
    const breaches = await world.breaches(
      'chmod u+s a',
      'chmod 2755 b',
      'install -m 4755 /bin/true c',
      perl('chmod 04755, q(a) or die'),
      perl(`syscall(${numbers.fchmodat}, -100, $f = q(a), 04755, 0) == 0 or die`),
      perl('syscall(452, -100, $f = q(a), 04755, 0) == 0 or die'),
      perl(`syscall(${numbers.mknodat}, -100, $f = q(m), 0104755, 0) == 0 or die`),
      "perl -MFcntl -e 'umask 0; sysopen(F, q(o), O_CREAT|O_WRONLY, 04755) or die'",
      perl('syscall(437, -100, $f = q(p), $how = pack(q(QQQ), 0101, 04755, 0), 24) >= 0 or die'),
      'find . -perm /6000 | grep .',
    );
    expect(breaches).toEqual([]);
    expect(await world.read('w/plain')).toBe('fine\n');
  });

  test('a command cannot replace an incomplete repository', async () => {
    await using world = await sandboxWorld({ uid });
    await rm(join(world.path, 'w/.git/hooks'), { recursive: true });
    expect(await world.breaches('mv .git x', 'rmdir .git; echo "gitdir: x" > .git')).toEqual([]);
  });

  test('hooks and settings of other programs cannot be changed, created or moved', async () => {
    verifies('S117');
    await using world = await sandboxWorld({ uid });
    await world.write('w/.git/config', '[core]\n\thooksPath = tools/hooks\n');
    await world.write('w/tools/hooks/pre-push', 'kept');
    await world.write('w/.git/HEAD', 'ref: refs/heads/main');
    await world.write('w/.vscode/settings.json', 'kept');
    const breaches = await world.breaches(
      'echo x > .git/hooks/pre-commit',
      'echo x > .git/config',
      'echo x > tools/hooks/pre-push',
      'mv tools t2',
      'rm -rf .git/config .git/hooks',
      'mv .git .git2',
      'mv .git/hooks .git/h',
      'rm -rf .vscode; mkdir .vscode',
      'echo x > .vscode/tasks.json',
    );
    expect(breaches).toEqual([]);
    const [written, planted] = await world.run(
      'echo x > .git/HEAD && echo fine',
      'mkdir .qwen && echo x > .qwen/settings.json; echo x > .mcp.json; ln -s /etc .idea; echo ../w > .git/commondir; ' +
        'mkdir .helix .hg; echo x > .hg/hgrc',
    );
    expect(written?.output).toBe('fine\n');
    const created = ['.git/commondir', '.helix', '.hg/hgrc', '.idea', '.mcp.json', '.qwen'];
    expect(planted?.reverted.toSorted()).toEqual(created.map((name) => join(world.path, 'w', name)));
    for (const name of created) expect(existsSync(join(world.path, 'w', name))).toBe(false);
    expect(await world.read('w/.qwen.removed-by-sandbox/settings.json')).toBe('x\n');
    expect(await world.read('w/.git/config')).toContain('tools/hooks');
    expect(readdirSync(join(world.path, 'w/.git/hooks'))).toEqual([]);
  });

  test('a folder whose mode a command changes keeps no protected file', async () => {
    await using world = await sandboxWorld({ uid });
    const [inRoot, inFolder] = await world.run(
      'echo x > .mcp.json; chmod 555 .',
      'chmod 755 .; mkdir .qwen; echo x > .git/commondir; chmod 000 .git',
    );
    expect(inRoot?.reverted).toEqual([join(world.path, 'w/.mcp.json')]);
    expect(inFolder?.reverted.toSorted()).toEqual(
      ['.git/commondir', '.qwen'].map((name) => join(world.path, 'w', name)),
    );
  });

  test('what a command puts in place of a folder does not lead to files outside', async () => {
    await using world = await sandboxWorld({ uid });
    await world.write('w/.git/config', '[core]\n\thooksPath = tools/hooks\n');
    await world.write('w/kept/other', '');
    Object.assign(world.policy, { denyWrite: ['w/new/file', 'w/kept/file'].map((name) => join(world.path, name)) });
    for (const name of ['outside/file', 'outside/hooks/pre-push']) await world.write(name, 'kept');
    const [result] = await world.run('mv kept moved; for name in new kept tools; do ln -s ../outside $name; done');
    const links = ['kept', 'new', 'tools'].map((name) => join(world.path, 'w', name));
    expect(result?.reverted.toSorted()).toEqual(links);
    expect(links.some((path) => existsSync(path))).toBe(false);
    expect(readdirSync(join(world.path, 'outside')).toSorted()).toEqual(['file', 'hooks']);
    expect(readdirSync(join(world.path, 'outside/hooks'))).toEqual(['pre-push']);
  });

  test('further settings of git and a repository without .git are protected', async () => {
    verifies('S117');
    await using world = await sandboxWorld({ uid });
    await world.write('w/.git/config', '[include]\n\tpath = ../shared.config\n\tpath = "../conf/later.config"\n');
    await world.write('w/shared.config', 'kept');
    await world.write('h/.gitconfig', '[core]\nhooksPath = team\n');
    await world.write('w/team/pre-push', 'kept');
    await world.write('w/deep/kept', '');
    await symlink('deep', join(world.path, 'w/conf'));
    const breaches = await world.breaches(
      'rm -f .git/HEAD; false',
      'echo x > shared.config',
      'rm shared.config',
      'echo x > team/pre-commit',
    );
    expect(breaches).toEqual([]);
    const [result, linked, , later] = await world.run(
      'echo x > deep/later.config; mkdir objects refs; echo "ref: refs/heads/main" > HEAD; echo "[core]" > config',
      'rm conf; ln -s .. conf; mkdir -p .git/logs; ln -s ../../../h/.gitconfig .git/logs/HEAD; ln -s / .git/refs',
      'cd .git; for i in $(seq 30); do n=$(printf %0200d $i); mkdir $n; cd $n; done',
      'echo fine; rm -r .git/0*',
    );
    const paths = (...names: string[]) => names.map((name) => join(world.path, 'w', name));
    expect(result?.reverted.toSorted()).toEqual(paths('HEAD', 'deep/later.config'));
    expect(linked?.reverted.toSorted()).toEqual(paths('.git/logs/HEAD', '.git/refs', 'conf'));
    expect(readlinkSync(join(world.path, 'w/conf'))).toBe('deep');
    expect(later?.output).toBe('fine\n');
  });

  test.runIf(hasPrograms('git'))('a worktree can be committed, and the rest of its repository stays', async () => {
    await using world = await sandboxWorld({ uid });
    const identity = '-c user.name=a -c user.email=a@b.test -c commit.gpgSign=false';
    // As the user of the commands: outside of the sandbox, another owner would be refused.
    const asUser = { uid, env: { PATH: '/usr/bin:/bin', HOME: join(world.path, 'h') } };
    const git = (folder: string, args: string) =>
      promisify(execFile)('git', ['-C', join(world.path, folder), ...args.split(' ')], asUser);
    await world.write('main/file', 'kept');
    await git('main', 'init -q -b main');
    await git('main', 'add .');
    await git('main', `${identity} commit -q -m first`);
    await rm(join(world.path, 'w'), { recursive: true });
    await git('main', 'worktree add -q ../w -b side');
    const common = '../main/.git';
    const [committed, planted] = await world.run(
      `echo more > new && git add new && git ${identity} commit -q -m second && git log --format=%s`,
      `echo x > ${common}/worktrees/w/config.worktree; echo x > ${common}/commondir`,
    );
    expect(committed?.output).toBe('second\nfirst\n');
    const repository = await realpath(join(world.path, 'main/.git'));
    expect(planted?.reverted.toSorted()).toEqual([
      join(repository, 'commondir'),
      join(repository, 'worktrees/w/config.worktree'),
    ]);
    const breaches = await world.breaches(
      `echo x > ${common}/hooks/pre-commit`,
      `echo x >> ${common}/config`,
      `mkdir ${common}/worktrees/other`,
      `echo x > ${common}/worktrees/w/commondir`,
      `mv ${common}/worktrees ${common}/w2`,
      'echo x > ../main/file',
      'echo "gitdir: x" > .git',
    );
    expect(breaches).toEqual([]);
  });

  test('a file .git alone opens no repository', async () => {
    await using world = await sandboxWorld({ uid });
    await rm(join(world.path, 'w/.git'), { recursive: true });
    for (const name of ['HEAD', 'objects/x', 'refs/x', 'config']) await world.write(`other/.git/${name}`, 'kept');
    await world.write('other/.git/worktrees/w/commondir', '../..');
    await world.write('other/.git/worktrees/w/gitdir', join(world.path, 'elsewhere/.git'));
    await world.write('w/fake/worktrees/w/commondir', join(world.path, 'other/.git'));
    await world.write('w/fake/worktrees/w/gitdir', join(world.path, 'w/.git'));
    for (const named of ['../other/.git/worktrees/w', '../other/.git', 'fake/worktrees/w']) {
      await world.write('w/.git', `gitdir: ${named}\n`);
      expect(await world.breaches('echo x > ../other/.git/HEAD')).toEqual([]);
    }
  });

  test('a command cannot change what the sandbox keeps for later ones', async () => {
    await using world = await sandboxWorld({ uid });
    Object.assign(world.policy, { allowWrite: [tmpdir()] });
    const breaches = await world.breaches(
      `cd ${tmpdir()} && ls qwen-sandbox-*/filter qwen-sandbox-*/tmp || cat qwen-sandbox-*/filter`,
      `mv ${tmpdir()}/qwen-sandbox-* ${tmpdir()}/moved`,
    );
    expect(breaches).toEqual([]);
  });

  test('processes outside are neither visible nor reachable', async () => {
    verifies('S118');
    await using world = await sandboxWorld({ uid });
    const victim = spawn('sleep', ['1000'], { env: { VICTIM: 'SECRET-OF-PARENT' }, ...(uid !== undefined && { uid }) });
    const pid = Number(victim.pid);
    const [ptrace, keyctl, uring, mount] = CALLS;
    const breaches = await world.breaches(
      'cat /proc/*/environ | tr "\\0" "\\n" | grep SECRET-OF-PARENT',
      `kill -9 ${pid}`,
      perl(`exit(syscall(${ptrace}, 16, ${pid}, 0, 0) == -1)`),
      perl(`exit(syscall(${ptrace}, 0, 0, 0, 0) == -1)`),
      perl(`exit(syscall(${keyctl}, 0, -3, 1) == -1)`),
      perl(`$p = "\\0" x 120; exit(syscall(${uring}, 8, $p) == -1)`),
      perl(`exit(syscall(${mount}, "none", "/mnt", "tmpfs", 0, 0) == -1)`),
      perl('exit(!socket($s, 40, SOCK_STREAM, 0))'),
      perl('open($t, "<", "/dev/tty") or open($t, "<&", STDIN); $c = "x"; exit(!ioctl($t, 0x5412, $c))'),
      'unshare -U true',
      'unshare -Urm mount -t tmpfs none /mnt',
      'unshare -n true',
      'nsenter -t 1 -m true',
      'chroot / true',
      'mount -o remount,rw /',
      'bwrap --bind / / true',
    );
    expect(breaches).toEqual([]);
    const [, state] = await world.run(
      'kill -9 -1',
      'grep -h CapEff /proc/self/status; grep -h NoNewPrivs /proc/self/status; grep -h "^Seccomp:" /proc/self/status',
    );
    expect(state?.output.replaceAll(/\s+/g, ' ')).toBe('CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2 ');
    expect(processGone(pid)).toBe(false);
    victim.kill('SIGKILL');
  });

  test('reaches no socket and no address outside', async () => {
    verifies('S118');
    await using world = await sandboxWorld({ uid });
    const servers = [createServer(), createServer(), createServer()];
    for (const server of servers) server.on('connection', (socket) => socket.end('reached'));
    const [tcp, file, abstract] = servers;
    const asUser = uid === undefined ? [] : [`--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const relative = await startLineProcess({
      command: 'setpriv',
      args: [...asUser, 'perl', '-MIO::Socket::UNIX', '-e', LISTENS],
      cwd: join(world.path, 'h'),
      env: { PATH: '/usr/bin:/bin', PWD: join(world.path, 'h') },
    });
    await using _relative = relative;
    await relative.next(() => true);
    for (const name of ['relative', 'before']) await chmod(join(world.path, 'h', name), 0o777);
    await rename(join(world.path, 'h/before'), join(world.path, 'h/renamed'));
    const path = join(world.path, 'h/docker.sock');
    const name = `qwen-test-${process.pid}-${uid ?? 'self'}`;
    try {
      const port = await listen(tcp as Server, 0);
      await listen(file as Server, path);
      await listen(abstract as Server, `\0${name}`);
      await chmod(path, 0o777);
      const connect = (address: string) => perl(`socket($s, PF_UNIX, SOCK_STREAM, 0); exit(!connect($s, ${address}))`);
      const breaches = await world.breaches(
        connect(`pack_sockaddr_un("${path}")`),
        ...['relative', 'renamed'].map((other) => connect(`pack_sockaddr_un("${join(world.path, 'h', other)}")`)),
        connect(`pack("S a*", AF_UNIX, "\\0${name}")`),
        `echo > /dev/tcp/127.0.0.1/${port}`,
        `echo > /dev/tcp/::1/${port}`,
        'getent hosts example.com',
        'echo > /dev/tcp/1.1.1.1/53',
        'echo > /dev/udp/1.1.1.1/53',
        'ls /run/user/* /run/docker.sock /var/run/docker.sock',
      );
      expect(breaches).toEqual([]);
      // Inside, sockets work.
      const [own] = await world.run(
        `perl -MIO::Socket::UNIX -e '$l = IO::Socket::UNIX->new(Local => "own.sock", Listen => 1) or die $!; $c = IO::Socket::UNIX->new(Peer => "own.sock") or die $!; print "own"'`,
      );
      expect(own?.output).toBe('own');
    } finally {
      for (const server of servers) server.close();
    }
  });

  test.runIf(hasPrograms('curl'))(
    'hosts are reached through the proxy only, and only those that are allowed',
    async () => {
      verifies('S114', 'S115');
      await using site = await openSite();
      const { port } = site;
      const allowed = `http://127.0.0.2:${port}`;
      const denied = `http://127.0.0.3:${port}`;
      const get = 'curl -sS -m 10';
      /** Sends bytes to the proxy. */
      const raw = (text: string) =>
        `exec 9<>/dev/tcp/127.0.0.1/\${http_proxy##*:}; printf '${text}' >&9; timeout 2 cat <&9`;
      const end = String.raw`HTTP/1.1\r\nHost: 127.0.0.2:${port}\r\n\r\n`;
      await using world = await sandboxWorld({
        uid,
        network: { allowed: ['127.0.0.2', '*.allowed.test'], denied: [] },
      });
      const [page, tunneled, host, blocked] = await world.run(
        `${get} ${allowed}/page`,
        `${get} -p ${allowed}/page`,
        `${get} -H 'Host: 127.0.0.3:${port}' ${allowed}/host`,
        `${get} ${denied}/page`,
      );
      expect([page?.output, tunneled?.output]).toEqual(['the page of 127.0.0.2', 'the page of 127.0.0.2']);
      expect(host?.output).toBe(`127.0.0.2:${port}`);
      expect(blocked).toMatchObject({ output: 'The sandbox blocks 127.0.0.3.\n', blockedHosts: ['127.0.0.3'] });
      const refused = [
        `${get} -p ${denied}/page`,
        `${get} -L ${allowed}/redirect`,
        `${get} -p -L ${allowed}/redirect`,
        `${get} --noproxy '*' ${allowed}/page`,
        `${get} --noproxy '*' ${denied}/page`,
        `env -i curl -sS -m 10 ${allowed}/page`,
        `${get} http://127.0.0.2@127.0.0.3:${port}/page`,
        `${get} http://2130706435:${port}/page`,
        `${get} http://0x7f.3:${port}/page`,
        `${get} -p http://[::1]:${port}/page`,
        `${get} -p http://[::ffff:127.0.0.3]:${port}/page`,
        `${get} http://127.0.0.2.allowed.test.evil.test:${port}/page`,
        `${get} -p -x "$http_proxy" --noproxy '' http://localhost:${port}/page`,
        raw(`GET ${denied}/page ${end}`),
        raw(`GET /page HTTP/1.1\\r\\nHost: 127.0.0.3:${port}\\r\\n\\r\\n`),
        raw(`CONNECT 127.0.0.3:${port} ${end}GET /page ${end}`),
        raw(`GET ${allowed}/host ${end}GET ${denied}/page ${end}`),
        'getent hosts example.com; echo > /dev/tcp/1.1.1.1/443',
      ];
      const [result] = await world.run(`${refused.map((command) => `( ${command} ) &`).join('\n')}\nwait`);
      expect(result?.blockedHosts).toContain('::ffff:7f00:3');
      expect(result?.output).not.toContain('the page of');
      expect(site.visited).toEqual(new Set(['127.0.0.2']));
    },
  );

  test.runIf(hasPrograms('curl'))('an empty list of hosts allows none', async () => {
    verifies('S114');
    await using site = await openSite();
    await using world = await sandboxWorld({ uid, network: { allowed: [], denied: [] } });
    const [result] = await world.run(`curl -sS -m 10 http://127.0.0.2:${site.port}/page`);
    expect(result).toMatchObject({ blockedHosts: ['127.0.0.2'], output: 'The sandbox blocks 127.0.0.2.\n' });
    expect(site.visited).toEqual(new Set());
  });

  test('no process is left after the command or after a kill of this program', async () => {
    verifies('S118');
    await using world = await sandboxWorld({ uid });
    const hiding = "setsid -f sleep 5432; (setsid sh -c 'sleep 5432 & sleep 5432' >/dev/null 2>&1 &)";
    const pidsOf = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          const words = readFileSync(`/proc/${Number(pid)}/cmdline`, 'utf8');
          return words.split('\0')[1] === '5432' && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(world.path);
        } catch {
          return false;
        }
      });
    await world.run(hiding);
    await Promise.all(pidsOf().map((pid) => waitUntilGone(Number(pid), { deadlineMs: 5000 })));
    await using program = await startSandboxRunner(uid);
    program.send({
      policy: world.policy,
      commands: [`${hiding}; echo x > .mcp.json; chmod 555 .; echo READY; sleep 5432`],
    });
    await program.next((line) => String(line.text).includes('READY'));
    await expect.poll(() => pidsOf().length, { timeout: 10_000 }).toBeGreaterThan(3);
    const pids = pidsOf();
    process.kill(program.pid, 'SIGKILL');
    await program.exited;
    await Promise.all(pids.map((pid) => waitUntilGone(Number(pid), { deadlineMs: 5000 })));
    expect(pidsOf()).toEqual([]);
    await expect.poll(() => existsSync(join(world.path, 'w/.mcp.json')), { timeout: 10_000 }).toBe(false);
  });

  test('mode read-only permits temporary files only', async () => {
    await using world = await sandboxWorld({ uid, mode: 'read-only' });
    await world.write('w/file', 'kept');
    expect(await world.breaches('echo x > file', 'touch new')).toEqual([]);
    const [read] = await world.run('cat file; echo x > /tmp/x');
    expect(read?.output).toBe('kept');
  });

  test('paths of the settings are hidden, protected and exposed', async () => {
    await using world = await sandboxWorld({ uid });
    await world.write('w/private/a/key', 'SECRET');
    await world.write('w/private/shown/b', 'public');
    await world.write('w/fixed/sub/c', 'kept');
    await world.write('extra/d', 'old');
    const under = (name: string) => join(world.path, name);
    Object.assign(world.policy, {
      denyRead: [under('w/private')],
      allowRead: [under('w/private/shown')],
      denyWrite: [under('w/fixed/sub'), under('w/missing')],
      allowWrite: [under('extra')],
    });
    const breaches = await world.breaches(
      'grep SECRET private/a/key',
      'mv private p2; grep SECRET p2/a/key',
      'echo x > private/shown/b',
      'echo x > fixed/sub/c',
      'mv fixed f2',
    );
    expect(breaches).toEqual([]);
    const [shown, created] = await world.run(
      `cat private/shown/b; echo new > ${under('extra/d')}; cat ${under('extra/d')}`,
      'echo x > missing',
    );
    expect(shown?.output).toBe('publicnew\n');
    expect(created?.reverted).toEqual([under('w/missing')]);
  });

  test('only an existing hard link reaches a secret', async () => {
    await using world = await sandboxWorld({ uid });
    const secret = await world.write('h/.ssh/id', 'SECRET');
    await link(secret, join(world.path, 'w/hard'));
    const [through] = await world.run('cat hard');
    expect(through?.output).toBe('SECRET');
  });

  test('a command that exhausts memory ends, and the next one runs', async () => {
    verifies('F142');
    await using world = await sandboxWorld({ uid, limits: { processes: 512, memoryMiB: 64 } });
    const [eater, next] = await world.run('head -c 300000000 /dev/zero | tail -c 300000000 | wc -c', 'echo fine');
    expect(eater?.output).not.toContain('300000000');
    expect(next?.output).toBe('fine\n');
  });

  const group = createGroup(`qwen-test-${process.pid}-${uid ?? 'self'}`, { processes: 10, memoryMiB: 100 });
  const isLimited = process.getuid?.() !== 0 || uid !== undefined || group.members.length > 0;
  group[Symbol.dispose]();
  test.runIf(isLimited)('a command that keeps starting processes reaches the limit', async () => {
    verifies('F143');
    await using world = await sandboxWorld({ uid, limits: { processes: 40, memoryMiB: 4096 } });
    const bomb = `perl -e 'for (1..200) { $p = fork; defined $p or do { print "limit: $!"; exit }; $p or sleep 100 }'`;
    const [forked, next] = await world.run(bomb, 'echo fine');
    expect(forked?.output).toContain('limit: ');
    expect(next?.output).toBe('fine\n');
  });
});

test.runIf(canTry)('a running command does not choose what a later one mounts', async () => {
  await using world = await sandboxWorld();
  for (const name of ['victim/config', 'victim/hooks/x']) await world.write(name, 'kept');
  const git = join(world.path, 'w/.git');
  await rm(git, { recursive: true });
  using sandbox = await openSandbox({ policy: world.policy });
  const shell = { program: '/bin/sh', folder: join(world.path, 'w'), environment: { PATH: '/usr/bin:/bin' } };
  using _running = await sandbox.confine({ ...shell, args: ['-c', 'true'] });
  for (const name of ['w/.git/config', 'w/.git/hooks/x']) await world.write(name, '');
  using later = await sandbox.confine({ ...shell, args: ['-c', 'echo x > ../victim/new; echo x > reached'] });
  // What the running one could do before the later one starts.
  await rm(git, { recursive: true });
  await symlink('../victim', git);
  const child = spawn(later.program, later.args, {
    env: later.environment,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  child.stdio[3]?.on('data', () => undefined);
  await once(child, 'close');
  expect(await world.read('w/reached')).toBe('x\n');
  expect(readdirSync(join(world.path, 'victim')).toSorted()).toEqual(['config', 'hooks']);
  expect(later.revert()).toContain(git);
});
