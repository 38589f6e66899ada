import { fileURLToPath } from 'node:url';

/** Path of an MCP server that does one thing wrong; its first argument says what, `none` is nothing. */
export const FAULTY_MCP_SERVER = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));
