import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { Bootstrap } from './service.ts';
import { ownEnvironment } from './tools.ts';

/** Runs the vendor's MCP server as a child process, and uses its protocol: one JSON document per line. */

export const MCP_SERVER = join(import.meta.dirname, '..', 'tools', 'mcp-server');
const PROGRAM = join(MCP_SERVER, 'node_modules', 'mongodb-mcp-server', 'dist', 'esm', 'index.js');
const RESOLVER = pathToFileURL(join(MCP_SERVER, 'resolver.js')).href;

interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
  readonly structuredContent?: Record<string, unknown>;
}

interface Message {
  readonly id?: number;
  readonly result?: unknown;
  readonly error?: unknown;
}

export interface McpServer {
  /** Returns the names of the server's tools. */
  tools(): Promise<string[]>;
  call(tool: string, args: object): Promise<ToolAnswer>;
  stop(): Promise<void>;
}

/** Starts the server for one service. It resolves names with the service's name server. */
export async function startMcpServer(bootstrap: Bootstrap, nameServer: string): Promise<McpServer> {
  const { url, clientId, clientSecret, caCertificate } = bootstrap;
  const home = await mkdtemp(join(tmpdir(), 'mcp-server-'));
  const child = spawn(process.execPath, ['--import', RESOLVER, PROGRAM], {
    env: {
      ...ownEnvironment(),
      HOME: home,
      NAME_SERVER: nameServer,
      NODE_EXTRA_CA_CERTS: caCertificate,
      SSL_CERT_FILE: caCertificate,
      MDB_MCP_API_BASE_URL: url,
      MDB_MCP_API_CLIENT_ID: clientId,
      MDB_MCP_API_CLIENT_SECRET: clientSecret,
      MDB_MCP_TELEMETRY: 'disabled',
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Message;
    waiting.get(message.id ?? -1)?.(message);
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  let requests = 0;
  async function request<T>(method: string, params: object): Promise<T> {
    requests += 1;
    const id = requests;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    send({ id, method, params });
    const answer = await Promise.race([promise, ended]);
    assert.ok(!Array.isArray(answer), `the MCP server ended with ${answer}`);
    assert.equal(answer.error, undefined);
    return answer.result as T;
  }

  const clientInfo = { name: 'portolan', version: '1' };
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  return {
    async tools() {
      const { tools } = await request<{ tools: { name: string }[] }>('tools/list', {});
      return tools.map(({ name }) => name);
    },
    call: (name, args) => request('tools/call', { name, arguments: args }),
    async stop() {
      child.kill();
      await ended;
      await rm(home, { recursive: true, force: true });
    },
  };
}
