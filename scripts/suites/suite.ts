/** A third-party test suite as data: how to set it up, run it and read its report. */
export interface ClientSuite {
  readonly name: string;
  /** The tests in the suite, for `docs/engine.md`. */
  readonly what: string;
  /** Where to get the client's source. */
  readonly source: string;
  /** Tests that are expected to fail. */
  readonly known: readonly KnownFailure[];
  /**
   * How tests connect without credentials; absent if tests use credentials. `port` is the port to which some tests
   * connect regardless of the settings.
   */
  readonly open?: { readonly port?: number };
  /** Commands that prepare the suite. A command is skipped if the file or folder in `makes` exists. */
  readonly setUp: (places: SuiteFolders) => readonly Preparation[];
  /** Commands that run the suite. Each writes a report. */
  readonly runs: (places: SuiteFolders, engine: EngineAddress) => readonly Run[];
}

export interface SuiteFolders {
  /** The folder with the client's source. */
  readonly source: string;
  /** A folder for other files that the suite needs, kept between runs. */
  readonly own: string;
}

/** The address of a replica set, with a user who has all privileges. */
export interface EngineAddress {
  readonly uri: string;
  /** Host and port of the first member. */
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

export interface Preparation extends Command {
  /** A file or folder that exists once the command has succeeded. */
  readonly makes: string;
}

export interface Run extends Command {
  /** The part of the suite that the command runs, for `--part`; absent if the suite has only one. */
  readonly part?: string;
  readonly report: string;
  /** The format of the report; JUnit by default. */
  readonly format?: 'go';
}

/** Tests that are expected to fail. */
export interface KnownFailure {
  /** `CLASS › NAME` as in the report; `*` stands for any text. */
  readonly test: string;
  readonly reason: string;
  /** Whether the result depends on the load of the machine, so that the tests sometimes pass. */
  readonly sometimes?: true;
}
