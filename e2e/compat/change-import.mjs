// Changes the import of an app, for `node --import`: its source stays as its author wrote it.
import { registerHooks } from 'node:module';

const CHANGES = [
  [/^@anthropic-ai\/claude-agent-sdk(?=$|\/)/, '@qwen/sdk/claude'],
  [/^@qwen-code\/sdk$/, '@qwen/sdk'],
];

registerHooks({
  resolve: (specifier, context, next) =>
    next(
      CHANGES.reduce((name, [foreign, own]) => name.replace(foreign, own), specifier),
      context,
    ),
});
