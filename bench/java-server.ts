/**
 * mongo-java-server, an in-memory database that test suites use. Maven downloads it. Without Maven and Java, there is
 * no baseline.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const VERSION = '1.47.0';
/** The wire version of server version 4.4, the oldest that the driver accepts. */
const WIRE_VERSION = 9;
export const JAVA_SERVER = `mongo-java-server ${VERSION}`;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>bench</groupId><artifactId>bench</artifactId><version>1</version>
  <dependencies>
    <dependency><groupId>de.bwaldvogel</groupId><artifactId>mongo-java-server</artifactId><version>${VERSION}</version></dependency>
    <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>2.0.17</version></dependency>
  </dependencies>
</project>
`;

const source = `import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.ServerVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

public class Server {
  /** By default, the server reports wire version 8, but drivers require ${WIRE_VERSION}. */
  static class Version implements MongoVersion {
    public List<Integer> getVersionArray() { return ServerVersion.MONGO_5_0.getVersionArray(); }
    public int getWireVersion() { return ${WIRE_VERSION}; }
  }

  public static void main(String[] arguments) {
    var backend = new MemoryBackend().version(new Version());
    System.out.println(new MongoServer(backend).bind().getPort());
  }
}
`;

export interface JavaServer {
  readonly url: string;
  /** Returns the CPU time of the process so far, in microseconds. */
  processor(): Promise<NodeJS.CpuUsage>;
  stop(): Promise<void>;
}

/** Starts the server; undefined on systems without Java, Maven or `/proc`. */
export async function startJavaServer(): Promise<JavaServer | undefined> {
  const folder = join(tmpdir(), `portolan-bench-java-${VERSION}`);
  let path: string;
  try {
    path = classPath(folder);
  } catch (error) {
    console.error(`${JAVA_SERVER} is not measured: ${(error as Error).message.split('\n')[0]}`);
    return undefined;
  }
  const child = spawn('java', ['-cp', path, join(folder, 'Server.java')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return {
    url: `mongodb://127.0.0.1:${String(port).trim()}/`,
    processor: async () => usageOf(child.pid ?? 0),
    async stop() {
      child.kill();
      await once(child, 'exit');
    },
  };
}

function classPath(folder: string): string {
  if (!existsSync('/proc/self/stat')) throw new Error('this system has no /proc');
  const kept = join(folder, 'class-path');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'Server.java'), source);
  if (!existsSync(kept)) {
    writeFileSync(join(folder, 'pom.xml'), pom);
    const goal = ['dependency:build-classpath', `-Dmdep.outputFile=${kept}`];
    execFileSync('mvn', ['--quiet', '--batch-mode', ...goal], { cwd: folder });
  }
  return readFileSync(kept, 'utf8');
}

/** The kernel counts CPU time in hundredths of a second. */
const MICROS_PER_TICK = 10_000;
/** Positions of `utime` and `stime` after the name of the command (proc_pid_stat(5)). */
const [USER, SYSTEM] = [11, 12];

function usageOf(pid: number): NodeJS.CpuUsage {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { user: Number(fields[USER]) * MICROS_PER_TICK, system: Number(fields[SYSTEM]) * MICROS_PER_TICK };
}
