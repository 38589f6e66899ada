// Needs a while after the end of its input to write its last message.
import { result, says, serve, write } from './fake-cli.mjs';

serve({
  user: () => write(result()),
  end: () => setTimeout(() => write(says('last words')), 400),
});
