import { operationsIn } from '../../family.ts';
import * as addresses from './addresses.ts';
import * as allProjects from './all-projects.ts';
import * as catalogue from './catalogue.ts';
import * as clusters from './clusters.ts';
import * as employeeAccess from './employee-access.ts';
import * as failover from './failover.ts';
import * as flex from './flex.ts';
import * as instances from './instances.ts';
import * as pins from './pins.ts';
import * as processArguments from './process-arguments.ts';
import * as sampleData from './sample-data.ts';
import * as serverless from './serverless.ts';

export const operations = operationsIn(
  clusters,
  processArguments,
  catalogue,
  failover,
  instances,
  pins,
  employeeAccess,
  sampleData,
  addresses,
  allProjects,
  flex,
  serverless,
);
