import * as addresses from './addresses.ts';
import * as allProjects from './all-projects.ts';
import * as catalogue from './catalogue.ts';
import * as clusters from './clusters.ts';
import * as employeeAccess from './employee-access.ts';
import * as failover from './failover.ts';
import * as flex from './flex.ts';
import * as pins from './pins.ts';
import * as processArguments from './process-arguments.ts';
import * as sampleData from './sample-data.ts';
import * as serverless from './serverless.ts';

/**
 * Every export of the files here is an operation, so that none can be forgotten; anything else does not compile. Links
 * of a cluster and a project stand in the order of the files.
 */
export const operations = [
  clusters,
  processArguments,
  catalogue,
  failover,
  pins,
  employeeAccess,
  sampleData,
  addresses,
  allProjects,
  flex,
  serverless,
].flatMap((file) => Object.values(file));
