// In one chunk: each file costs 2 ms.
export { startSession } from './session/start-session.js';
export { RemoteConnection } from './transport/http/remote-connection.js';
