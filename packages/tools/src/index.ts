export { type BuiltinToolsOptions, builtinTools } from './builtin-tools.js';
export { BUILTIN_TOOL_CATALOG, BUILTIN_TOOL_NAMES, type BuiltinToolName, type ToolEntry } from './catalog.js';
export { type BridgeSend, ControlBridgeTransport } from './mcp/bridge-transport.js';
export {
  connectInAppMcpServer,
  connectMcpServer,
  type InAppMcpConnection,
  type InAppMcpServerOptions,
  type McpConnection,
  type McpServerOptions,
} from './mcp/client.js';
export { createPathResolver, type PathResolverOptions } from './workspace.js';
