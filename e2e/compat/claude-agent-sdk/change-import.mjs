// Changes the import of an app, for `node --import`: its source stays as its author wrote it.
import { registerHooks } from 'node:module';

const FOREIGN = /^@anthropic-ai\/claude-agent-sdk(?=$|\/)/;

registerHooks({
  resolve: (specifier, context, next) => next(specifier.replace(FOREIGN, '@qwen/sdk/claude'), context),
});
