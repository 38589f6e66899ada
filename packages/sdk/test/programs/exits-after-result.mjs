// Answers well and then exits with code 7, as some CLIs do after an error result.
import { result, serve, write } from './fake-cli.mjs';

serve({ user: () => write(result()), end: () => process.exit(7) });
