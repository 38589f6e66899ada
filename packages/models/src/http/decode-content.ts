import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';

/**
 * The body of an answer without its content encoding: gzip, deflate and br, each passed on as it arrives. An encoding
 * that we do not know is left as it is. Leaving the body early closes the connection.
 */
export async function decodeContent(message: IncomingMessage): Promise<AsyncIterable<Uint8Array>> {
  const encoding = message.headers['content-encoding'];
  if (encoding === undefined || encoding === 'identity') return message;
  const decoder = await createDecoder(encoding.toLowerCase());
  if (decoder === undefined) return message;
  const { pipeline } = await import('node:stream');
  // Whoever reads hears of what breaks from the decoder.
  return pipeline(message, decoder, () => undefined);
}

async function createDecoder(encoding: string): Promise<Transform | undefined> {
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const flushing = { flush: constants.Z_SYNC_FLUSH };
  if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip(flushing);
  if (encoding === 'deflate') return createInflate(flushing);
  if (encoding === 'br') return createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH });
  return undefined;
}
