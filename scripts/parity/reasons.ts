/** Why differences remain. For an operation and a field, the first matching entry counts. */
const reasons: readonly {
  readonly operations: RegExp;
  /** Matches `status`, a field, or the text of a different value. */
  readonly fields: RegExp;
  readonly reason: string;
}[] = [
  {
    operations: /^(create|list|get)Cluster/,
    fields: /disk(IOPS|Throughput)$/,
    reason:
      'in Portolan, AZURE volumes have IOPS only if the request has them, and the engine has no limit of throughput',
  },
  {
    operations: /Events$/,
    fields: /./,
    reason:
      'the replay causes other kinds of events, which have other fields, and its caller is a service account',
  },
  {
    operations: /User|Member/,
    fields: /lastAuth|invit|mobileNumber|groupId/,
    reason: 'the users differ: some of the replay are only invited',
  },
  {
    operations: /AlertConfig/,
    fields: /severityOverride/,
    reason: 'present only if it is set; the recording has a configuration with this field',
  },
  {
    operations: /SearchDeployment/,
    fields: /^stateName/,
    reason: 'in Portolan the state changes with the request, at the vendor a moment later',
  },
  {
    operations: /Alert/,
    fields: /./,
    reason: 'the recorded alert is one of the recorder, of another kind',
  },
];

export function reasonFor(operation: string, field: string): string | undefined {
  return reasons.find(({ operations, fields }) => operations.test(operation) && fields.test(field))?.reason;
}
