import Type from 'typebox';

/** Fields of the requests and replies of the console's endpoints. */

const LONGEST_TEXT = 1024;
const LONGEST_NAME = 128;
/** The longest mail address (RFC 5321). */
const LONGEST_ADDRESS = 254;
/** `POST /users` accepts passwords from this length. */
const SHORTEST_PASSWORD = 8;

export const text = (description: string) => Type.String({ description, maxLength: LONGEST_TEXT });
export const machineTime = (description: string) =>
  Type.String({ format: 'date-time', description: `${description} This is machine time, not service time.` });

/** The field has no maximum length, so that a password that is too long counts as a wrong password. */
export const presentPassword = Type.String({ description: 'The present password.' });
export const newPassword = Type.String({
  description: 'The new password.',
  minLength: SHORTEST_PASSWORD,
  maxLength: LONGEST_TEXT,
});
export const oneTimeCode = text('A one-time code, or a recovery code.');
export const token = text('The token in the link.');
export const username = Type.String({
  description: 'The user name, which is a mail address.',
  minLength: 1,
  maxLength: LONGEST_ADDRESS,
});

/** The fields that are required unless the invited person has an account with a verified mail address. */
export const NewPerson = Type.Object({
  firstName: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
  lastName: Type.String({ minLength: 1, maxLength: LONGEST_NAME }),
  password: newPassword,
});
