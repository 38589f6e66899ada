import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from '@qwen/testkit';
import { describe, expect, test } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readServeFlags } from '../src/subcommands/serve/read-serve-flags.js';
import { SERVE } from '../src/subcommands/serve/spec.js';
import { commandHelp } from '../src/subcommands/words/command-help.js';

const run = promisify(execFile);
const pathOf = (name: string) => fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url));
const textOf = (name: string) => readFile(pathOf(name), 'utf8');
type Facts = Readonly<Record<string, never>>;

/** What a command line of `qwen serve` comes to; throws where the program would. */
function readCommand(words: readonly string[]) {
  expect(words.slice(0, 2)).toEqual(['qwen', 'serve']);
  const environment = { QWEN_SERVER_TOKEN: 'a-token-of-at-least-16-characters' };
  const flags = readServeFlags({ words: words.slice(2), environment, cwd: '/workspace' });
  for (const word of words.slice(2).filter((one) => one.startsWith('--'))) {
    expect(commandHelp('serve', SERVE)).toContain(`${word.split('=')[0]} `);
  }
  return flags;
}

describe('deploy/docker-compose.yml', () => {
  test('two front ends and two workers share one durable Redis, each with a health check', async () => {
    const { services, secrets, volumes } = parse(await textOf('docker-compose.yml'), { merge: true });
    const { front, worker, redis } = services;
    const [frontFlags, workerFlags] = [readCommand(front.command), readCommand(worker.command)];
    expect(frontFlags).toMatchObject({ role: 'front', requireAuth: true, host: '0.0.0.0', port: 3000 });
    expect(workerFlags).toMatchObject({ role: 'worker', host: '127.0.0.1', port: 3000 });
    expect(new URL(frontFlags.store).hostname).toBe('redis');
    expect(workerFlags.store).toBe(frontFlags.store);
    // Every name and port under which clients come is one that is answered.
    expect(front.ports).toEqual(['127.0.0.1:3000-3001:3000']);
    expect(frontFlags.hosts).toEqual(['localhost:3001', '127.0.0.1:3001']);
    for (const service of [front, worker]) {
      expect(service).toMatchObject({ user: 'node', read_only: true, cap_drop: ['ALL'], deploy: { replicas: 2 } });
      expect(service.healthcheck.test.join(' ')).toContain('127.0.0.1:3000/health');
      expect(service.depends_on.redis.condition).toBe('service_healthy');
      for (const name of service.secrets) expect(Object.keys(secrets)).toContain(name);
      for (const mount of service.volumes) expect(Object.keys(volumes)).toContain(mount.split(':')[0]);
    }
    expect(front.secrets).not.toContain('openai_api_key');
    expect(redis.command.join(' ')).toContain('--appendonly yes --appendfsync always');
    expect(redis.healthcheck.test).toEqual(['CMD', 'redis-cli', 'ping']);
  });
});

describe('deploy/kubernetes.yaml', () => {
  test('names, ports, probes, budgets and shutdown times match', async () => {
    const documents = parseAllDocuments(await textOf('kubernetes.yaml')).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });
    const find = (kind: string, name: string) => {
      const found = documents.find(
        (one: { kind: string; metadata: Facts }) => one.kind === kind && one.metadata['name'] === name,
      );
      if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
      return found;
    };
    const redis = find('StatefulSet', 'qwen-redis');
    expect(redis.spec.template.spec.containers[0].args.join(' ')).toContain('--appendonly yes --appendfsync always');
    const stores = new Set<string>();
    for (const role of ['front', 'worker']) {
      const { spec } = find('Deployment', `qwen-${role}`);
      const pod = spec.template.spec;
      const [container] = pod.containers;
      const flags = readCommand(container.args);
      stores.add(flags.store);
      expect(flags).toMatchObject({ role, port: container.ports[0].containerPort, host: '0.0.0.0' });
      expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: container.ports[0].name });
      expect(container.livenessProbe.httpGet).toEqual({ path: '/health', port: container.ports[0].name });
      expect(container.securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
      });
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      expect(container.env.map(({ name }: { name: string }) => name)).toContain('QWEN_SERVER_TOKEN');
      expect(find('PodDisruptionBudget', `qwen-${role}`).spec.selector).toEqual(spec.selector);
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels);
      const pause = Number(container.lifecycle?.preStop.exec.command[1] ?? 0);
      // The server ends within five seconds (F132).
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(pause + 5);
      const claims = pod.volumes.flatMap((one: { persistentVolumeClaim?: Facts }) => one.persistentVolumeClaim ?? []);
      for (const { claimName } of claims) find('PersistentVolumeClaim', claimName);
    }
    expect([...stores]).toEqual(['redis://qwen-redis:6379']);
    const service = find('Service', 'qwen');
    expect(service.spec.selector).toEqual(find('Deployment', 'qwen-front').spec.selector.matchLabels);
    const front = readCommand(find('Deployment', 'qwen-front').spec.template.spec.containers[0].args);
    // Clients inside of the cluster come by the name of the Service.
    expect(front.hosts).toContain(`qwen:${service.spec.ports[0].port}`);
    const { spec: scaler } = find('HorizontalPodAutoscaler', 'qwen-worker');
    expect(find(scaler.scaleTargetRef.kind, scaler.scaleTargetRef.name).spec.replicas).toBeUndefined();
    const { spec: ingress } = find('Ingress', 'qwen');
    const [rule] = ingress.rules;
    expect(front.hosts).toContain(rule.host);
    expect(service.spec.ports[0].name).toBe(rule.http.paths[0].backend.service.port.name);
    expect(find('NetworkPolicy', 'qwen-redis').spec.podSelector.matchLabels).toEqual({ app: 'qwen-redis' });
  });
});

describe('deploy/agent-sandbox.yaml', () => {
  test('one isolated server, whose volumes, probes, port and name match', async () => {
    const [sandbox, policy] = parseAllDocuments(await textOf('agent-sandbox.yaml')).map((document) => {
      expect(document.errors).toEqual([]);
      return document.toJS();
    });
    const { podTemplate, volumeClaimTemplates, service } = sandbox.spec;
    const [container] = podTemplate.spec.containers;
    const flags = readCommand(container.args);
    const { containerPort: port, name } = container.ports[0];
    expect(flags).toMatchObject({ role: 'all', host: '0.0.0.0', requireAuth: true, port });
    expect(flags.hosts).toEqual([`${sandbox.metadata.name}:${port}`]);
    expect(service).toBe(true);
    expect(container.readinessProbe.httpGet).toEqual({ path: '/ready', port: name });
    expect(container.securityContext).toMatchObject({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false });
    const volumes = [
      ...podTemplate.spec.volumes,
      ...volumeClaimTemplates.map((one: { metadata: Facts }) => one.metadata),
    ];
    const named = (list: readonly { name: string }[]) => list.map((one) => one.name).toSorted();
    expect(named(container.volumeMounts)).toEqual(named(volumes));
    expect(policy.spec.podSelector.matchLabels).toEqual(podTemplate.metadata.labels);
    expect(policy.spec.ingress[0].ports).toEqual([{ port }]);
  });
});

describe('deploy/qwen-serve.service', () => {
  test('starts the server with known flags, and lets it stop by itself', async () => {
    const text = await textOf('qwen-serve.service');
    const valueOf = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
    const flags = readCommand(valueOf('ExecStart').split(' ').slice(1));
    expect(flags).toMatchObject({ host: '127.0.0.1', requireAuth: true, metricsPort: 9464, logFormat: 'json' });
    expect(flags.workspaceRoots).toEqual([valueOf('WorkingDirectory')]);
    expect(Number(valueOf('TimeoutStopSec'))).toBeGreaterThan(5);
    expect(valueOf('SuccessExitStatus')).toBe('143');
  });
});

describe('deploy/Dockerfile', () => {
  test('runs the server as an unprivileged user, at the port that it exposes and probes', async () => {
    const text = await textOf('Dockerfile');
    const lastFixture = text.slice(text.lastIndexOf('\nFROM '));
    const instruction = (name: string) =>
      new RegExp(String.raw`^${name} ((?:.*\\\n)*.*)$`, 'm').exec(lastFixture)?.[1]?.trim() ?? '';
    expect(instruction('USER')).toBe('node');
    const flags = readCommand(JSON.parse(instruction('CMD')));
    expect(flags).toMatchObject({ host: '0.0.0.0', requireAuth: true, port: Number(instruction('EXPOSE')) });
    expect(instruction('HEALTHCHECK')).toContain(`127.0.0.1:${flags.port}/health`);
    expect(text).not.toMatch(/(?:TOKEN|KEY|PASSWORD)=/);
  });

  test.skipIf(process.platform === 'win32')('its script puts only existing secrets into the environment', async () => {
    await using folder = await temporaryFolder();
    const script = (await textOf('entrypoint.sh')).replaceAll('/run/secrets', folder.path);
    await folder.write('qwen_server_token', 'from-a-file\n');
    await folder.write('another_secret', 'never');
    const { stdout } = await run('sh', ['-c', script, 'entrypoint', 'env'], {
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(stdout).toContain('QWEN_SERVER_TOKEN=from-a-file\n');
    expect(stdout).not.toContain('OPENAI_API_KEY');
    expect(stdout).not.toContain('never');
  });
});
