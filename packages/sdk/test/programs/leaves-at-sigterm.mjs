// The end of its input does not make it leave; SIGTERM does.
import { init, serve, write } from './fake-cli.mjs';

setInterval(() => {}, 1_000);
serve({ user: () => write(init()) });
