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
    operations: /Alert/,
    fields: /./,
    reason: 'the recording contains another kind of alert',
  },
];

export function reasonFor(operation: string, field: string): string | undefined {
  return reasons.find(({ operations, fields }) => operations.test(operation) && fields.test(field))?.reason;
}
