// Announces a protocol version from the future.
import { answer, READY, serve } from './fake-cli.mjs';

serve({
  control(line) {
    if (line.request.subtype !== 'initialize') return false;
    answer(line, { ...READY, protocol_version: 99 });
    return true;
  },
});
