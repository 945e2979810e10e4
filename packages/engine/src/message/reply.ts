/** Fields of the answer to a command. */
export type Reply = Readonly<Record<string, unknown>>;
