/** Why differences remain. For an operation and a field, the first matching entry counts. */
const reasons: readonly {
  readonly operations: RegExp;
  /** Matches `status`, a field, or the text of a different value. */
  readonly fields: RegExp;
  readonly reason: string;
}[] = [
  {
    operations: /Events$/,
    fields: /./,
    reason:
      'the replay causes other kinds of events, which have other fields, and its caller is a service account',
  },
  {
    operations: /User|Member/,
    fields: /lastAuth|invit|mobileNumber|groupId/,
    reason:
      'some users of the replay have been invited but have no account yet, so their entries have other fields',
  },
  {
    operations: /AlertConfig/,
    fields: /severityOverride/,
    reason: 'the field is present only if it was set, and a recorded configuration has it',
  },
  {
    operations: /SearchDeployment/,
    fields: /^stateName/,
    reason: "Portolan changes the state before it responds. The vendor's service changes it a moment later",
  },
  {
    operations: /createCluster$/,
    fields: /^tags$/,
    reason:
      'the field is present if the request contains it. Portolan omits an empty list of tags in both cases',
  },
  {
    operations: /upgradeSharedCluster$/,
    fields: /^(providerSettings|srvAddress|advancedConfiguration)/,
    reason:
      "Portolan's response shows the upgraded cluster. The response of the vendor's service still shows the former one",
  },
  {
    operations: /getCluster$/,
    fields: /^stateName/,
    reason: "the recorded change takes longer than Portolan's",
  },
  {
    operations: /DatabaseRoles$/,
    fields: /^\[\]\.actions/,
    reason: 'the recorded project has further roles with other actions',
  },
  {
    operations: /listApiKeys$/,
    fields: /roles\[\]\.groupId$/,
    reason: 'the recorded organization has further keys with roles in projects',
  },
  {
    operations: /Containers$/,
    fields: /vpcId|azureSubscriptionId|vnetName|gcpProjectId|networkName/,
    reason: 'Portolan only stores the container, so that no network exists whose name it could return',
  },
  {
    operations: /Cluster(s|AdvancedConfiguration)?$/,
    fields:
      /adaptiveCapacity|effective|internalClusterRole|retainBackups|useAwsTimeBased|Tls13|diskWarmingMode/,
    reason: 'the service has introduced the field since the recording',
  },
  {
    operations: /Cluster(s)?$/,
    fields: /predictiveEnabled|replicaSetScalingStrategy/,
    reason:
      'the service has removed the field since the recording. The newer recordings of other versions lack it',
  },
  {
    operations: /Alert/,
    fields: /^(?!status)/,
    reason: 'the recording contains another kind of alert',
  },
];

export function reasonFor(operation: string, field: string): string | undefined {
  return reasons.find(({ operations, fields }) => operations.test(operation) && fields.test(field))?.reason;
}
