/** The module `portolan`: the whole service, for tests. */
export { CompanionError } from '@portolan/engine/library/errors';
export {
  type ClusterOptions,
  type Credentials,
  type PortolanService,
  type StartOptions,
  start,
} from './service.ts';
