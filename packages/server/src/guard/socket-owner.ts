import { readFile } from 'node:fs/promises';
import { isIPv6 } from 'node:net';

/** Both ends of a TCP connection of this machine, as our end sees it. */
export interface Connection {
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly localAddress: string;
  readonly localPort: number;
}

/** Where the kernel lists the sockets of our network namespace. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];

/**
 * The user who holds the other end of a connection, by the table of the kernel; undefined when it is not there, or when
 * nobody holds it any more: the kernel shows sockets without a process as those of root. Linux only.
 */
export async function socketOwner(connection: Connection): Promise<number | undefined> {
  const peer = toKey(connection.remoteAddress, connection.remotePort);
  const own = toKey(connection.localAddress, connection.localPort);
  for (const table of TABLES) {
    const text = await readFile(table, 'latin1').catch(() => '');
    for (const line of text.split('\n')) {
      // sl, local, remote, state, queues, timer, retransmits, uid, timeout, inode
      const [, local = '', remote = '', , , , , uid, , inode] = line.trim().split(/\s+/);
      if (uid === undefined || inode === undefined || inode === '0') continue;
      if (fromTable(local) === peer && fromTable(remote) === own) return Number(uid);
    }
  }
  return undefined;
}

/** An address and port as one text of hex digits; IPv4 in its mapped IPv6 form, so that both tables can be compared. */
function toKey(address: string, port: number): string {
  return `${toBytes(address).toString('hex')}:${port}`;
}

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

/** `0100007F:1F90`: words of four bytes in the order of the machine, then the port. */
function fromTable(text: string): string {
  const [address = '', port = ''] = text.split(':');
  const bytes = Buffer.from(address, 'hex');
  if (isLittleEndian) bytes.swap32();
  return `${(bytes.length === 4 ? mapped(bytes) : bytes).toString('hex')}:${Number.parseInt(port, 16)}`;
}

const isLittleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
