export { scramCredentials } from './access/scram.ts';
export type { HostEndpoint } from './client/endpoint.ts';
export {
  createEmbeddedEngine,
  type EmbeddedEngine,
  type EmbeddedEngineOptions,
  type PeerSettings,
} from './client/engine.ts';
export { EngineError, EngineUnavailable, ProtocolMismatch } from './client/errors.ts';
export { attachEngine, type RemoteEngine } from './client/remote-engine.ts';
export type { PortRange } from './control/protocol.ts';
