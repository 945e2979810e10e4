/** `portolan`: the whole service, for tests. */
export { CompanionError } from './errors.ts';
export {
  type ClusterOptions,
  type Credentials,
  type PortolanService,
  type StartOptions,
  start,
} from './service.ts';
