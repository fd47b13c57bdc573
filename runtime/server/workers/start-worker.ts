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

/** Opens the channel to the owner. `onGone` must end the process: a worker cannot run without an owner. */
export function openOwnerChannel(onGone: () => void): Channel {
  return new Channel(new Socket({ fd: CHANNEL_FD }), { decodeError: decodeStoreError, onClosed: onGone });
}

/** The configuration of a worker: its share of the limits, and an audit log that the owner writes for all workers. */
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
  /** Called when the owner or the store is lost: the process must end. */
  readonly onGone: () => void;
  readonly log: Log;
}

/** Starts the server of a worker. It serves requests only: the owner does everything that must happen once. */
export async function startWorker({ begin, settings, channel, started, onGone, log }: WorkerOptions): Promise<Server> {
  const remote = begin.storeIdentity === null ? undefined : openRemote(begin.storeIdentity, channel, onGone);
  const { signingKey } = begin;
  const onLost = ({ message }: Error): void => {
    log("error", `the store failed for good, stopping: ${message}`);
    onGone();
  };
  const server = await createServer({
    settings,
    // Only the owner compacts.
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
      resetOthers: async (path) => {
        await channel.call("reset", path);
      },
    },
  });
  channel.handle("expose", async ({ data: path }) => {
    return { data: null, bytes: [await server.metrics(exposedFor(path as MetricsPath))] };
  });
  channel.handle("reset", async ({ data: path }) => {
    server.resetMetrics(path as MetricsPath);
    return { data: null, bytes: [] };
  });
  return server;
}

/** Connections that arrive with messages from the owner. Each is acknowledged: until then the owner may close it. */
function receivedConnections(address: AddressInfo): ConnectionSource {
  return {
    address,
    open(onConnection) {
      const receive = (message: OwnerMessage, socket: Socket | undefined): void => {
        if (message.kind !== "connection") return;
        process.send?.({ kind: "accepted", id: message.id } satisfies WorkerMessage);
        // Undefined if the client has closed the connection meanwhile.
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
    // A changed parent process means that the owner is gone. A new owner of the same data does not write to this worker's shared file.
    checkWriter: () => {
      if (process.ppid !== owner) onGone();
    },
  });
}

/**
 * Path whose metrics a process returns for a joined page. For `/metrics` all metrics are returned, because the owner keeps their counters when the
 * process ends.
 */
function exposedFor(path: MetricsPath): MetricsPath | undefined {
  return path === "/metrics" ? undefined : path;
}

/**
 * Joins the metrics of all processes into one page. Stale series of ended workers are shown once more and then dropped, like those of this process.
 */
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
