import { faults } from '@portolan/foundation/faults';

export const deploymentFaults = faults({
  DEPLOYMENT_NOT_FOUND: [404, 'No adopted deployment has the id {0}.'],
  DEPLOYMENT_NOT_USABLE: [400, 'The deployment cannot be used: {0}.'],
  DEPLOYMENT_ALREADY_ADOPTED: [
    409,
    'The server {0} belongs to the deployment {1}, which is adopted already. Release it first.',
  ],
  DEPLOYMENT_IS_OWN_CLUSTER: [409, 'The server {0} belongs to the cluster {1}, which this service runs.'],
  DEPLOYMENT_HAS_OTHER_SERVERS: [
    409,
    'The connection string leads to none of the servers of the cluster {0}, which are {1}.',
  ],
  DEPLOYMENT_BEING_DROPPED: [409, 'The databases of the cluster {0} are being dropped.'],
  DEPLOYMENT_DROP_ENDED: [
    409,
    'The drop of the databases of the cluster {0} took too long, and another instance of the service has ended it.',
  ],
});
