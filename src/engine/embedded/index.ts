export { scramCredentials } from './access/scram.ts';
export { EngineError, EngineUnavailable, ProtocolMismatch } from './client/control-connection.ts';
export type { HostEndpoint } from './client/endpoint.ts';
export { createEmbeddedEngine, type EmbeddedEngine, type EmbeddedEngineOptions } from './client/engine.ts';
export { attachEngine, type RemoteEngine } from './client/remote-engine.ts';
export type { PortRange } from './control/protocol.ts';
