import type { Role, RolePhrase } from './roles.ts';

/** The requirements of operations, in the order of the columns of the tables below (docs/contract/access.md 2). */
export const columns: readonly RolePhrase[] = [
  'Organization Owner',
  'Organization Project Creator',
  'Organization Member',
  'Project Owner',
  'Project Read Only',
  'Project Cluster Manager',
  'Project Backup Manager',
  'Project Platform Admin',
  'Project Monitoring Admin',
  'Project Database Access Admin',
  'Project Data Access Read Only',
  'Project Data Access Read Write',
  'Project Data Access Admin',
  'Project Platform Admin or Backup Manager',
  'Project Monitoring Admin or Database Access Admin',
  'Project Data Access Read Write or Search Index Editor',
  'Project Data Access Admin or Search Index Editor',
  'Organization Billing Viewer',
];

/**
 * The expected access of a role within the scope of its grant, which is an organization with all its projects, or one
 * project. Each row is a role, and an `x` says that the role meets the requirement of the column. The table is derived
 * from the contract, not from the code.
 */
export const inItsProject: Readonly<Record<Role, string>> = {
  ORG_OWNER: /*                     */ 'xxxxxxxxxxxxxxxxxx',
  ORG_GROUP_CREATOR: /*             */ '.xx...............',
  ORG_BILLING_ADMIN: /*             */ '..x..............x',
  ORG_BILLING_READ_ONLY: /*         */ '..x..............x',
  ORG_STREAM_PROCESSING_ADMIN: /*   */ '..x...............',
  ORG_READ_ONLY: /*                 */ '..x.x.............',
  ORG_MEMBER: /*                    */ '..x...............',
  GROUP_OWNER: /*                   */ '..xxxxxxxxxxxxxxx.',
  GROUP_CLUSTER_MANAGER: /*         */ '..x.xx............',
  GROUP_STREAM_PROCESSING_OWNER: /* */ '..x.xx............',
  GROUP_DATA_ACCESS_ADMIN: /*       */ '..x.x.....xxx..xx.',
  GROUP_DATA_ACCESS_READ_WRITE: /*  */ '..x.x.....xx...x..',
  GROUP_DATA_ACCESS_READ_ONLY: /*   */ '..x.x.....x.......',
  GROUP_DATABASE_ACCESS_ADMIN: /*   */ '..x.x....x....x...',
  GROUP_BACKUP_MANAGER: /*          */ '..x.x.x......x....',
  GROUP_OBSERVABILITY_VIEWER: /*    */ '..x.x.............',
  GROUP_SEARCH_INDEX_EDITOR: /*     */ '..x.x..........xx.',
  GROUP_PLATFORM_ADMIN: /*          */ '..x.x..x.....x....',
  GROUP_MONITORING_ADMIN: /*        */ '..x.x...x.....x...',
  GROUP_READ_ONLY: /*               */ '..x.x.............',
};
