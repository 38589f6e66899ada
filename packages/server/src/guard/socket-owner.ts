import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';

/** Both ends of a TCP connection of this machine, as our end sees it. */
export interface Connection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Both socket tables of the kernel, one behind the other. */
export type ReadSocketTables = () => Promise<string>;

/** Users by the sockets that they hold: `local remote` as the tables write them. */
type Holders = ReadonlyMap<string, number>;

/**
 * Who holds the other end of a connection, by the tables of the kernel. Reading them costs as much as there are sockets,
 * so everybody who asks while they are being read waits for one read more: whoever connected before a read began is in
 * it. Linux only.
 */
export class SocketOwners {
  readonly #readTables: ReadSocketTables;
  #reading: Promise<Holders> | undefined;
  #next: Promise<Holders> | undefined;

  constructor(readTables: ReadSocketTables = readKernelTables) {
    this.#readTables = readTables;
  }

  /**
   * The user at the other end; undefined when it is not there, or when nobody holds it any more: the kernel shows
   * sockets without a process as those of root.
   */
  async ownerOf(connection: Connection): Promise<number | undefined> {
    const keys = toKeys(connection);
    // The kernel may pass over a socket while others close beside it, so who is not there is looked for twice.
    return findHolder(await this.#freshHolders(), keys) ?? findHolder(await this.#freshHolders(), keys);
  }

  /** From a read that begins after this call. */
  #freshHolders(): Promise<Holders> {
    if (this.#reading === undefined) return this.#read();
    if (this.#next === undefined) {
      const readOn = () => {
        this.#next = undefined;
        return this.#read();
      };
      this.#next = this.#reading.then(readOn, readOn);
    }
    return this.#next;
  }

  #read(): Promise<Holders> {
    const reading = this.#readTables()
      .then(toHolders)
      .finally(() => {
        if (this.#reading === reading) this.#reading = undefined;
      });
    this.#reading = reading;
    return reading;
  }
}

async function readKernelTables(): Promise<string> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((path) => readFile(path, 'latin1').catch(() => ''));
  return (await Promise.all(tables)).join('\n');
}

/** Behind the number of a line: local, remote, state, queues, timer, retransmits, user, timeout, inode. */
const LINE = /^ *\d+: (\S+ \S+) \S+ \S+ \S+ \S+ +(\d+) +\d+ +(\d+)/gm;

function toHolders(tables: string): Holders {
  const holders = new Map<string, number>();
  for (const [, ends = '', userId, inode] of tables.matchAll(LINE)) {
    if (inode !== '0') holders.set(ends, Number(userId));
  }
  return holders;
}

function findHolder(holders: Holders, keys: readonly string[]): number | undefined {
  return keys.map((key) => holders.get(key)).find((userId) => userId !== undefined);
}

/** How the tables may write the other end: a program may hold an IPv4 connection by a socket of either kind. */
function toKeys({ remoteAddress, remotePort, localAddress, localPort }: Connection): readonly string[] {
  const remote = toForms(remoteAddress, remotePort);
  const local = toForms(localAddress, localPort);
  return remote.map((form, index) => `${form} ${local[index]}`);
}

/** `0100007F:1F90`: words of four bytes in the order of the machine, then the port. */
function toForms(address: string, port: number): readonly string[] {
  const bytes = toBytes(address);
  if (isLittleEndian) bytes.swap32();
  const hex = bytes.toString('hex').toUpperCase();
  const end = port.toString(16).toUpperCase().padStart(4, '0');
  return bytes.subarray(0, 12).equals(MAPPED) ? [`${hex.slice(24)}:${end}`, `${hex}:${end}`] : [`${hex}:${end}`];
}

/** An address as sixteen bytes, IPv4 in its mapped form. */
function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return mapped(Buffer.from(address.split('.').map(Number)));
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  // Only mapped addresses are written with dots.
  if (dotted !== null) return mapped(Buffer.from((dotted[2] ?? '').split('.').map(Number)));
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? [];
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const front = groups(head);
  const back = tail === undefined ? [] : groups(tail);
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => '0');
  return Buffer.from([...front, ...zeros, ...back].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function mapped(ipv4: Buffer): Buffer {
  return Buffer.concat([Buffer.from('00000000000000000000ffff', 'hex'), ipv4]);
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;

/** How a mapped address begins, as the tables of this machine order it. */
const MAPPED = ((prefix) => (isLittleEndian ? prefix.swap32() : prefix))(
  Buffer.from('00000000000000000000ffff', 'hex'),
);
