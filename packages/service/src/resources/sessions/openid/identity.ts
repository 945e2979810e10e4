/** A person, as an OpenID provider describes the person. */
export interface Identity {
  /** Whose subjects these are: the issuer, or an organization's identity provider. */
  readonly source: string;
  readonly subject: string;
  /** The mail address; undefined unless the provider has verified it. */
  readonly mail: string | undefined;
  readonly firstName: string;
  readonly lastName: string;
  readonly groups: ReadonlySet<string>;
}

export type Claims = Readonly<Record<string, unknown>>;

/** Which claims identify a person. */
export interface ClaimRules {
  readonly source: string;
  /** The claim with the subject; `sub` by default. */
  readonly userClaim: string;
  /** The claim with the groups; absent if groups have no effect. */
  readonly groupsClaim?: string | undefined;
}

/** Whether an ID token lacks claims that may be in the user info. */
export function lacksClaims(claims: Claims, { userClaim, groupsClaim = userClaim }: ClaimRules): boolean {
  return [claims.email, claims[userClaim], claims[groupsClaim]].includes(undefined);
}

/** Maximum length of a subject. OpenID Connect allows 255 characters for `sub`. */
const MAX_SUBJECT_LENGTH = 1024;
const MAIL = /^[^@\s]+@[^@\s]+$/;

/** Returns the person whom the ID token and the user info describe. Throws if a claim is missing. */
export function identityIn(token: Claims, info: Claims, rules: ClaimRules): Identity {
  const { source, userClaim, groupsClaim } = rules;
  const all: Claims = { ...info, ...token };
  const text = (name: string) => {
    const value = all[name];
    return typeof value === 'string' ? value : '';
  };
  const subject = text(userClaim);
  if (subject === '' || subject.length > MAX_SUBJECT_LENGTH)
    throw new Error(`the response has no usable claim ${userClaim}`);
  return {
    source,
    subject,
    // Read the mail address and the claim `email_verified` from the same document.
    mail:
      userClaim !== 'sub' && MAIL.test(subject)
        ? subject
        : verifiedMail(token.email === undefined ? info : token),
    firstName: text('given_name') || text('name'),
    lastName: text('family_name'),
    groups: groupsIn(groupsClaim === undefined ? [] : all[groupsClaim]),
  };
}

function verifiedMail({ email, email_verified: isVerified }: Claims): string | undefined {
  return isVerified === true && typeof email === 'string' && email !== '' ? email : undefined;
}

/** Returns the groups in a claim: a list of texts, or one text. */
function groupsIn(value: unknown): ReadonlySet<string> {
  return new Set([value].flat().filter((group) => typeof group === 'string'));
}
