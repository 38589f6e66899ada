import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';

/** Seen from the server. */
export interface Connection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Both kernel tables. */
export type ReadSocketTables = () => Promise<string>;

/** By `local remote` in the notation of the tables. */
type Holders = ReadonlyMap<string, number>;

/** Finds the user of a local peer in the kernel's socket tables. Concurrent lookups share a read. Linux only. */
export class SocketOwners {
  readonly #readTables: ReadSocketTables;
  #reading: Promise<Holders> | undefined;
  #next: Promise<Holders> | undefined;

  constructor(readTables: ReadSocketTables = readKernelTables) {
    this.#readTables = readTables;
  }

  /** Undefined if the socket has no process. */
  async ownerOf(connection: Connection): Promise<number | undefined> {
    const keys = toKeys(connection);
    // The kernel may omit a socket while others close.
    return findHolder(await this.#freshHolders(), keys) ?? findHolder(await this.#freshHolders(), keys);
  }

  /** The result of a read that starts after this call. */
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

/** Local, remote, state, queues, timer, retransmits, user, timeout, inode. */
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

/** An IPv4 connection may belong to an IPv6 socket. */
function toKeys({ remoteAddress, remotePort, localAddress, localPort }: Connection): readonly string[] {
  const remote = toForms(remoteAddress, remotePort);
  const local = toForms(localAddress, localPort);
  return remote.map((form, index) => `${form} ${local[index]}`);
}

/** `0100007F:1F90`: 32-bit words in host byte order, then the port. */
function toForms(address: string, port: number): readonly string[] {
  const bytes = toBytes(address);
  if (isLittleEndian) bytes.swap32();
  const hex = bytes.toString('hex').toUpperCase();
  const end = port.toString(16).toUpperCase().padStart(4, '0');
  return bytes.subarray(0, 12).equals(MAPPED) ? [`${hex.slice(24)}:${end}`, `${hex}:${end}`] : [`${hex}:${end}`];
}

/** 16 bytes, IPv4 as IPv4-mapped. */
function toBytes(address: string): Buffer {
  if (!isIPv6(address)) return mapped(Buffer.from(address.split('.').map(Number)));
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  // Only IPv4-mapped addresses have dots.
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

/** In the byte order of the tables. */
const MAPPED = ((prefix) => (isLittleEndian ? prefix.swap32() : prefix))(
  Buffer.from('00000000000000000000ffff', 'hex'),
);
