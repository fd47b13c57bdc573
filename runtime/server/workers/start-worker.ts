import { createPrivateKey } from "node:crypto";
import { type AddressInfo, Socket } from "node:net";
import { keysWith } from "../../auth/pki/signing-keys.ts";
import type { ConnectionSource } from "../../http/transport/listen.ts";
import { Channel } from "../../lib/channel.ts";
import type { Log } from "../../lib/log.ts";
import { isShownAt, type MetricsPath } from "../../metrics/health-metrics.ts";
import { joinMetrics } from "../../metrics/join-metrics.ts";
import { openStore } from "../../store/open-store.ts";
import { decodeStoreError } from "../../store/remote/error-data.ts";
import { RemoteStore } from "../../store/remote/remote-store.ts";
import { SharedRevision } from "../../store/remote/shared-revision.ts";
import { createServer, type Server } from "../create-server.ts";
import type { Settings } from "../read-settings.ts";
import type { ServerConfig } from "../server-config.ts";
import { divideLimits } from "./divide-limits.ts";
import {
  type Begin,
  CHANNEL_FD,
  type OthersData,
  type OwnerMessage,
  REVISION_FD,
  type WorkerMessage,
} from "./messages.ts";

/** The channel to the owner. A worker without an owner ends. */
export function openOwnerChannel(onGone: () => void): Channel {
  return new Channel(new Socket({ fd: CHANNEL_FD }), { decodeError: decodeStoreError, onClosed: onGone });
}

/** The configuration of a worker: its part of the limits, and one audit log for all, which the owner writes. */
export function workerConfig(config: ServerConfig, { index, tokenAuthFile }: Begin, channel: Channel): ServerConfig {
  const { audit, ...divided } = divideLimits(config, index);
  return {
    ...divided,
    tokenAuthFile: tokenAuthFile ?? undefined,
    audit: {
      ...audit,
      destination: {
        async write(text) {
          await channel.call("audit", null, [Buffer.from(text)]);
        },
        close: async () => undefined,
      },
    },
  };
}

export interface WorkerOptions {
  readonly begin: Begin;
  readonly settings: Settings;
  readonly channel: Channel;
  readonly started: Promise<void>;
  /** Called when the owner is gone, or the store: the process must end. */
  readonly onGone: () => void;
  readonly log: Log;
}

/** Starts the server of a worker: it serves requests and leaves everything that must be done once to the owner. */
export async function startWorker({ begin, settings, channel, started, onGone, log }: WorkerOptions): Promise<Server> {
  const remote = begin.storeIdentity === null ? undefined : openRemote(begin.storeIdentity, channel, onGone);
  const { signingKey } = begin;
  const onLost = ({ message }: Error): void => {
    log("error", `the store failed for good, stopping: ${message}`);
    onGone();
  };
  const server = await createServer({
    settings,
    // The owner compacts.
    store:
      remote ??
      (await openStore({ ...settings.config, historyMs: Number.POSITIVE_INFINITY }, onLost, {
        tunnel: settings.egress?.etcd,
      })),
    identity: begin.identity,
    log,
    ...(signingKey !== null && { signingKeys: keysWith(Promise.resolve(createPrivateKey(signingKey))) }),
    worker: {
      connections: receivedConnections(begin.address),
      started,
      catchUp: remote && (() => remote.catchUp()),
      pingStore: remote && (() => remote.ping()),
      joinMetrics: async (path, keepLive) => {
        return joinWithOthers(path, await server.metrics(exposedFor(path)), channel, keepLive);
      },
    },
  });
  channel.handle("expose", async ({ data: path }) => {
    return { data: null, bytes: [await server.metrics(exposedFor(path as MetricsPath))] };
  });
  return server;
}

/** Connections that arrive with messages of the owner, which is told of each: until then it could close them. */
function receivedConnections(address: AddressInfo): ConnectionSource {
  return {
    address,
    open(onConnection) {
      const receive = (message: OwnerMessage, socket: Socket | undefined): void => {
        if (message.kind !== "connection") return;
        process.send?.({ kind: "accepted", id: message.id } satisfies WorkerMessage);
        // Undefined if the client has closed it meanwhile.
        if (socket !== undefined) onConnection(socket);
      };
      process.on("message", receive);
      return () => {
        process.off("message", receive);
        process.send?.({ kind: "stopping" } satisfies WorkerMessage);
      };
    },
  };
}

function openRemote(identity: string, channel: Channel, onGone: () => void): RemoteStore {
  const owner = process.ppid;
  return new RemoteStore({
    channel,
    shared: new SharedRevision(REVISION_FD),
    identity: Buffer.from(identity, "base64"),
    // Another owner of the same data does not write to this worker's file.
    checkWriter: () => {
      if (process.ppid !== owner) onGone();
    },
  });
}

/** What a process exposes for a page of all: everything for `/metrics`, from which counters are kept when the process ends. */
function exposedFor(path: MetricsPath): MetricsPath | undefined {
  return path === "/metrics" ? undefined : path;
}

/** Metrics of all processes, for one page. Series of workers that ended are dropped as those of this one are: after they were shown. */
async function joinWithOthers(
  path: MetricsPath,
  own: Buffer,
  channel: Channel,
  keepLive: (text: string) => Promise<string>,
): Promise<Buffer> {
  const { data, bytes } = await channel.call("metrics", path, [own]);
  const { workers, restarts, ended } = data as OthersData;
  const others = bytes.map((text, at) => ({
    text: Buffer.from(text.buffer, text.byteOffset, text.length).toString(),
    ended: ended !== null && at === bytes.length - 1,
  }));
  const joined = await joinMetrics([{ text: own.toString() }, ...others], (family) => isShownAt(path, family));
  if (path === "/metrics/slis") return Buffer.from(joined);
  const last = ended === null ? undefined : others.at(-1);
  if (last !== undefined) {
    const kept = await keepLive(last.text);
    if (kept !== last.text) await channel.call("ended", ended, [Buffer.from(kept)]);
  }
  const up = workers.map(({ index, pid, up }) => `typeplane_worker_up{worker="${index}",pid="${pid}"} ${up ? 1 : 0}\n`);
  return Buffer.from(
    `${joined}# HELP typeplane_worker_up Whether the metrics of a worker are included.\n# TYPE typeplane_worker_up gauge\n${up.join("")}` +
      `# HELP typeplane_worker_restarts_total Number of workers that ended and were started again.\n# TYPE typeplane_worker_restarts_total counter\ntypeplane_worker_restarts_total ${restarts}\n`,
  );
}
