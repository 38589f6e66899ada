// Leaves a process behind that holds its stdout and stderr open.
import { spawn } from 'node:child_process';
import { result, serve, write } from './fake-cli.mjs';

serve({
  user() {
    const grandchild = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    grandchild.unref();
    write(result({ grandchild: grandchild.pid }));
  },
});
