import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends the lines of a request unchanged. Returns everything up to the close. */
export async function rawExchange(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' });
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => {
    answer += text;
  });
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'));
  await once(socket, 'close');
  return answer;
}
