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
    reason: 'shows an empty list at once, which the vendor shows from the first read on',
  },
  {
    operations: /^(create|list|get)Cluster/,
    fields: /disk(IOPS|Throughput|SizeGB)$/,
    reason:
      'only volumes at AWS have a rate here, and the request is incomplete where the answer shows computed sizes',
  },
  {
    operations: /Events$/,
    fields: /./,
    reason:
      'each kind of event has fields of its own, and other kinds happened; the caller is a service account',
  },
  {
    operations: /User|Member/,
    fields: /lastAuth|invit|mobileNumber|groupId/,
    reason: 'the people differ: those of the replay have never logged in, and some are invited',
  },
  { operations: /UserSecurity$/, fields: /^ldap/, reason: 'LDAP is not offered' },
  {
    operations: /Process/,
    fields: /lastPing/,
    reason: 'appears with the first measurement, which a replay does not wait for',
  },
  {
    operations: /AlertConfig/,
    fields: /severityOverride/,
    reason: 'shown where it is set; the recorder has a configuration with one',
  },
  { operations: /RestoreJob/, fields: /expiresAt/, reason: 'shown once the download is ready' },
  {
    operations: /Measurements$/,
    fields: /^status$/,
    reason: 'the recorder asks for the database `config`, which the engine does not have',
  },
  {
    operations: /Snapshot|Backup/,
    fields: /^status$/,
    reason: 'a download reads its snapshot, which cannot be deleted meanwhile',
  },
  {
    operations: /Search|Fts/,
    fields: /^status$/,
    reason: 'mappings that name an unknown field are refused; the vendor ignores it',
  },
  {
    operations: /SearchDeployment/,
    fields: /^stateName/,
    reason: 'the state changes with the request, at the vendor a moment later',
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
