const RANDOM_FILE = '/dev/urandom';
const ID_LENGTH = 16;

let randomBytes: Buffer | undefined;

/**
 * Replaces `crypto.randomUUID()` in bundles: reads the random numbers of the system from a file, because loading
 * `node:crypto` takes 3 ms of each start. Version 4 of RFC 9562.
 */
export function randomUUID(): `${string}-${string}-${string}-${string}-${string}` {
  if (randomBytes === undefined || randomBytes.length < ID_LENGTH) randomBytes = readRandomBytes(64 * ID_LENGTH);
  if (randomBytes === undefined) return process.getBuiltinModule('node:crypto').randomUUID();
  const id = randomBytes.subarray(0, ID_LENGTH);
  randomBytes = randomBytes.subarray(ID_LENGTH);
  id[6] = ((id[6] ?? 0) & 0x0f) | 0x40;
  id[8] = ((id[8] ?? 0) & 0x3f) | 0x80;
  const hex = id.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Undefined where the file does not exist, as on Windows. */
function readRandomBytes(length: number): Buffer | undefined {
  const { closeSync, openSync, readSync } = process.getBuiltinModule('node:fs');
  let file: number;
  try {
    file = openSync(RANDOM_FILE, 'r');
  } catch {
    return undefined;
  }
  try {
    const bytes = Buffer.alloc(length);
    return readSync(file, bytes, 0, length, null) === length ? bytes : undefined;
  } finally {
    closeSync(file);
  }
}
