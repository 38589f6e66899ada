import { fileURLToPath } from 'node:url';

/** Path of an MCP server with one fault, named by its first argument; `none` for no fault. */
export const FAULTY_MCP_SERVER = fileURLToPath(new URL('../programs/mcp-server.mjs', import.meta.url));
