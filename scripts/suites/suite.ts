/** The test suite of a client that others have written, as data: how it is set up, run and read. */
export interface ClientSuite {
  readonly name: string;
  /** What the tests are of, for people. */
  readonly what: string;
  /** Where its source comes from. */
  readonly source: string;
  /** Commands that make it ready to run; those whose `makes` is there already are left out. */
  readonly setUp: (places: SuiteFolders) => readonly Preparation[];
  /** Commands that run it, each leaving a report of its own in JUnit's form. */
  readonly runs: (places: SuiteFolders, engine: EngineAddress) => readonly Run[];
}

export interface SuiteFolders {
  /** The folder of its source. */
  readonly source: string;
  /** A folder of ours, kept from one run to the next, for what it needs besides. */
  readonly own: string;
}

/** One replica set, with a user with all privileges. */
export interface EngineAddress {
  readonly uri: string;
  /** Of its first member. */
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
}

export interface Command {
  readonly program: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Preparation extends Command {
  /** A file or folder that is there when this has been done. */
  readonly makes: string;
}

interface Run extends Command {
  /** What part of the suite it is, by which one can be run alone; the only one has none. */
  readonly part?: string;
  readonly report: string;
}

/** Tests that are not expected to pass. */
export interface KnownFailure {
  /** `CLASS › NAME`, as the report has them; `*` stands for any text. */
  readonly test: string;
  readonly reason: string;
  /** It depends on what else the machine does: they may pass as well. */
  readonly sometimes?: true;
}
