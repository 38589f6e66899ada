import type { ErrorCode } from '@qwen/protocol';

type StorageCode = Exclude<Extract<ErrorCode, `storage_${string}`>, 'storage_unreachable'>;

const CODE_BY_RESULT = new Map<number, StorageCode>([
  [5, 'storage_busy'],
  [6, 'storage_busy'],
  [8, 'storage_unwritable'],
  [10, 'storage_unwritable'],
  [11, 'storage_damaged'],
  [13, 'storage_full'],
  [14, 'storage_unwritable'],
  [26, 'storage_damaged'],
]);

export function storageCodeOf(thrown: unknown): StorageCode | undefined {
  return thrown instanceof Error && 'errcode' in thrown ? CODE_BY_RESULT.get(Number(thrown.errcode) & 0xff) : undefined;
}
