// Never answers; leaves when its input ends, whatever runs.
import { init, serve, write } from './fake-cli.mjs';

setInterval(() => {}, 1_000);
serve({ user: () => write(init()), end: () => process.exit(0) });
