import { endianness } from 'node:os';

interface Machine {
  /** `AUDIT_ARCH_*` of linux/audit.h. */
  readonly audit: number;
  readonly denied: readonly number[];
  readonly socket: number;
  readonly ioctl: number;
  readonly unshare: number;
  readonly clone: number;
  readonly clone3: number;
  readonly modes: readonly (readonly [number: number, mode: number])[];
  /** System calls that open files, with the index of the argument for the flags. */
  readonly opens: readonly (readonly [number: number, flags: number, mode: number])[];
  /** The first number of x32 system calls. */
  readonly foreign?: number;
}

/** io_uring, the newer mount calls and pidfd_getfd have one number everywhere. */
const NEWER = [425, 426, 427, 428, 429, 430, 431, 432, 433, 438, 442];

const MACHINES: Readonly<Record<string, Machine>> = {
  x64: {
    audit: 0xc000_003e,
    // ptrace, process_vm_*, kcmp, the keyring, mounts, setns, bpf, userfaultfd, perf_event_open, kexec, modules,
    // open_by_handle_at, acct, swap, reboot
    denied: [
      101, 310, 311, 312, 248, 249, 250, 165, 166, 155, 308, 321, 323, 298, 246, 320, 175, 313, 176, 304, 163, 167, 168,
      169,
    ],
    socket: 41,
    ioctl: 16,
    unshare: 272,
    clone: 56,
    clone3: 435,
    // chmod, fchmod, fchmodat, fchmodat2, creat, mknod, mknodat
    modes: [
      [90, 1],
      [91, 1],
      [268, 2],
      [452, 2],
      [85, 1],
      [133, 1],
      [259, 2],
    ],
    opens: [
      [2, 1, 2],
      [257, 2, 3],
    ],
    foreign: 0x4000_0000,
  },
  arm64: {
    audit: 0xc000_00b7,
    denied: [
      117, 270, 271, 272, 217, 218, 219, 40, 39, 41, 268, 280, 282, 241, 104, 294, 105, 273, 106, 265, 89, 224, 225,
      142,
    ],
    socket: 198,
    ioctl: 29,
    unshare: 97,
    clone: 220,
    clone3: 435,
    modes: [
      [52, 1],
      [53, 2],
      [452, 2],
      [33, 2],
    ],
    opens: [[56, 2, 3]],
  },
};

/** Offsets in `struct seccomp_data`; arguments are 64 bits wide, the low half first. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number) => 16 + 8 * index;

const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const errno = (number: number) => 0x0005_0000 + number;
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

const CLONE_NEWUSER = 0x1000_0000;
const OPENAT2 = 437;
/** S_ISUID and S_ISGID: outside, others could run the file with the rights of its owner. */
const OWNER_RIGHTS = 0o6000;
/** O_CREAT and O_TMPFILE. */
const CREATES = 0x40_0040;
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
/** AF_UNIX, AF_INET, AF_INET6, AF_NETLINK. Others, such as AF_VSOCK, reach beyond the network namespace. */
const FAMILIES = [1, 2, 10, 16];

interface Instruction {
  readonly code: number;
  readonly k: number;
  /** Instructions to skip if the comparison holds, and if not. */
  readonly yes?: number;
  readonly no?: number;
}

const load = (k: number): Instruction => ({ code: 0x20, k });
const answer = (k: number): Instruction => ({ code: 0x06, k });
const ifEqual = (k: number, yes: number, no: number): Instruction => ({ code: 0x15, k, yes, no });
const ifAtLeast = (k: number, yes: number, no: number): Instruction => ({ code: 0x35, k, yes, no });
const ifAnyBit = (k: number, yes: number, no: number): Instruction => ({ code: 0x45, k, yes, no });

/**
 * A classic BPF program for `bwrap --seccomp`: no tracing, kernel keyring, io_uring, mounts, new user namespaces,
 * terminal input, unusual sockets or files that run with the rights of their owner. Undefined: the processor is unknown.
 */
export function seccompProgram(machine: string = process.arch): Uint8Array | undefined {
  const known = Object.hasOwn(MACHINES, machine) ? MACHINES[machine] : undefined;
  if (known === undefined || endianness() !== 'LE') return undefined;
  const { audit, denied, socket, ioctl, unshare, clone, clone3, modes, opens, foreign } = known;
  const onlyFor = (number: number, body: readonly Instruction[]) => [ifEqual(number, 0, body.length), ...body];
  const noUserNamespace = [load(argument(0)), ifAnyBit(CLONE_NEWUSER, 0, 1), answer(errno(EPERM)), answer(ALLOW)];
  const noOwnerRights = (mode: number) => [
    load(argument(mode)),
    ifAnyBit(OWNER_RIGHTS, 0, 1),
    answer(errno(EPERM)),
    answer(ALLOW),
  ];
  return encode([
    load(ARCHITECTURE),
    ifEqual(audit, 1, 0),
    answer(KILL_PROCESS),
    load(NUMBER),
    ...(foreign === undefined ? [] : [ifAtLeast(foreign, 0, 1), answer(errno(EPERM))]),
    ...[...denied, ...NEWER].flatMap((number) => onlyFor(number, [answer(errno(EPERM))])),
    // The filter cannot read their flags, which are in memory. Programs then call clone and openat.
    ...[clone3, OPENAT2].flatMap((number) => onlyFor(number, [answer(errno(ENOSYS))])),
    ...modes.flatMap(([number, mode]) => onlyFor(number, noOwnerRights(mode))),
    ...opens.flatMap(([number, flags, mode]) =>
      onlyFor(number, [load(argument(flags)), ifAnyBit(CREATES, 0, 3), ...noOwnerRights(mode)]),
    ),
    ...onlyFor(clone, noUserNamespace),
    ...onlyFor(unshare, noUserNamespace),
    ...onlyFor(ioctl, [
      load(argument(1)),
      ifEqual(TIOCSTI, 1, 0),
      ifEqual(TIOCLINUX, 0, 1),
      answer(errno(EPERM)),
      answer(ALLOW),
    ]),
    ...onlyFor(socket, [
      load(argument(0)),
      ...FAMILIES.map((family, index) => ifEqual(family, FAMILIES.length - index, 0)),
      answer(errno(EAFNOSUPPORT)),
      answer(ALLOW),
    ]),
    answer(ALLOW),
  ]);
}

function encode(program: readonly Instruction[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, { code, k, yes = 0, no = 0 }] of program.entries()) {
    view.setUint16(index * 8, code, true);
    view.setUint8(index * 8 + 2, yes);
    view.setUint8(index * 8 + 3, no);
    view.setUint32(index * 8 + 4, k, true);
  }
  return new Uint8Array(view.buffer);
}
