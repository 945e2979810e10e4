/** Why differences remain. For an operation and a field, the first matching entry counts. */
const reasons: readonly {
  readonly operations: RegExp;
  /** Matches `status`, a field, or the text of a different value. */
  readonly fields: RegExp;
  readonly reason: string;
}[] = [
  {
    operations: /^create(Flex)?Cluster$/,
    fields: /^tags$/,
    reason:
      'the response to the request already contains an empty list, that of the vendor only from the first GET on',
  },
  {
    operations: /^(create|list|get)Cluster/,
    fields: /disk(IOPS|Throughput|SizeGB)$/,
    reason:
      'in Portolan only AWS volumes have IOPS, and the replayed request lacks the sizes that the recording does not show',
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
    reason: 'the users differ: those of the replay have never logged in, and some are only invited',
  },
  { operations: /UserSecurity$/, fields: /^ldap/, reason: 'LDAP is not supported' },
  {
    operations: /Process/,
    fields: /lastPing/,
    reason: 'present from the first measurement on, for which the replay does not wait',
  },
  {
    operations: /AlertConfig/,
    fields: /severityOverride/,
    reason: 'present only if it is set; the recording has a configuration with this field',
  },
  { operations: /RestoreJob/, fields: /expiresAt/, reason: 'present when the download is ready' },
  {
    operations: /Measurements$/,
    fields: /^status$/,
    reason: 'the recording requests the database `config`, which the engine does not have',
  },
  {
    operations: /Snapshot|Backup/,
    fields: /^status$/,
    reason: 'a snapshot cannot be deleted while it is being downloaded',
  },
  {
    operations: /Search|Fts/,
    fields: /^status$/,
    reason: 'Portolan rejects mappings with an unknown field; the vendor ignores the field',
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
