import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { plainIpv4 } from "../../values/ip-address.ts";
import type { AnyServer } from "./create-http-server.ts";

export interface BindOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Whether other processes may listen on the same port. */
  readonly reusePort?: boolean;
  /** Called when a connection cannot be accepted, usually for lack of file descriptors. */
  readonly onError: (error: Error) => void;
}

/**
 * Number of sockets that listen on the port. Node accepts one connection per listening socket in a turn of the event loop. If requests make
 * turns long, hundreds of clients that connect at once would otherwise wait for seconds.
 */
const SOCKETS = 16;
/** Only on Linux does the kernel distribute connections over the sockets of a port. */
const SPREADS_CONNECTIONS = process.platform === "linux";

/** Makes a server listen. The returned function closes all listening sockets except the server's own, which its `close` closes. */
export async function bind(server: AnyServer, { host, port, reusePort, onError }: BindOptions): Promise<() => void> {
  if (!SPREADS_CONNECTIONS) {
    await listenOn(server, { host, port, reusePort });
    server.on("error", onError);
    return () => undefined;
  }
  if (port !== 0 && reusePort !== true) await refuseUsedPort(host, port);
  await listenOn(server, { host, port, reusePort: true });
  server.on("error", onError);
  const { port: bound } = server.address() as AddressInfo;
  const more = Array.from({ length: SOCKETS - 1 }, () => {
    const accepting = createServer({ allowHalfOpen: (server as Partial<HalfOpen>).allowHalfOpen === true });
    accepting.on("connection", (socket: Socket) => void server.emit("connection", socket));
    return accepting;
  });
  await Promise.all(more.map((each) => listenOn(each, { host, port: bound, reusePort: true })));
  for (const each of more) each.on("error", onError);
  return () => {
    for (const each of more) each.close();
  };
}

/** Missing from Node's types. */
interface HalfOpen {
  readonly allowHalfOpen: boolean;
}

/** Throws if the port is in use: sockets with a shared port would also share it with another server of the same user. */
async function refuseUsedPort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listenOn(probe, { host, port });
  await new Promise((resolve) => probe.close(resolve));
}

/** The function that Node calls after it has looked up the address. It is undocumented and may be absent. */
interface AddressListener {
  readonly _listen2?: (
    address: string,
    port: number,
    family: number,
    backlog: number,
    fd: undefined,
    flags: number,
  ) => void;
}

const BACKLOG = 511;
/** `UV_TCP_REUSEPORT`. */
const REUSE_PORT = 2;

/**
 * Avoids Node's address lookup for an IPv4 address, and its check whether this is a worker of a cluster. These load `node:cluster` and
 * compile the pattern of IPv6 addresses, which takes a thirtieth of the start-up time. A worker of a cluster has a channel to its parent.
 */
function listenOn(
  server: (AnyServer | Server) & AddressListener,
  { port, host, reusePort = false }: Omit<BindOptions, "onError">,
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.once("listening", () => {
      server.off("error", reject);
      resolve();
    });
    const isPlain = plainIpv4(host) !== undefined && process.channel === undefined;
    if (isPlain && server._listen2 !== undefined)
      server._listen2(host, port, 4, BACKLOG, undefined, reusePort ? REUSE_PORT : 0);
    else server.listen({ port, host, reusePort });
  });
}
