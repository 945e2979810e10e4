import { ConfigError } from '@portolan/foundation/command-line';
import { EngineUnavailable } from '../client/errors.ts';
import { runEngine } from './run-engine.ts';

/** The command `portolan-engine`. */
const HELP = `portolan-engine [--data-dir DIR] [--port N] [--tls-cert FILE --tls-key FILE] [--stay]

Starts a replica set of three members, prints its connection string, and runs until Ctrl-C.

  --data-dir DIR  the folder with the data; without it, the data is deleted at the end
  --port N        the port of the first member, by default 27100; 0 chooses free ports
  --tls-cert FILE the certificate of the members (PEM), which then accept only TLS connections
  --tls-key FILE  the private key of the certificate (PEM)
  --stay          keep running when the command that started it ends`;

const args = process.argv.slice(2);
try {
  if (args.includes('--help') || args.includes('-h')) console.log(HELP);
  else process.exitCode = await runEngine(args);
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof EngineUnavailable;
  console.error(isExpected ? `portolan-engine: ${error.message}` : error);
  process.exitCode = 1;
}
