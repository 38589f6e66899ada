// What a query with a local CLI does not need, in one chunk: each file loaded at the start costs 2 ms.
export { startSession } from './session/start-session.js';
export { RemoteConnection } from './transport/http/remote-connection.js';
