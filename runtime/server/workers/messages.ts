import type { AddressInfo } from "node:net";
import type { ClusterIdentity } from "../../auth/pki/cluster-identity.ts";
import type { ServerConfig } from "../server-config.ts";

/** Descriptors that a worker inherits, after those of input, output, errors and messages. */
export const CHANNEL_FD = 4;
export const REVISION_FD = 5;

/** The first message to a worker: everything that it cannot read from the flags. */
export interface Begin {
  readonly kind: "begin";
  /** 1 is the first worker. */
  readonly index: number;
  /** Where the owner listens. */
  readonly address: AddressInfo;
  /** Flags of the command line, by name. */
  readonly flags: readonly (readonly [string, readonly string[]])[];
  readonly tokenAuthFile: ServerConfig["tokenAuthFile"] | null;
  readonly identity: ClusterIdentity;
  /** PEM of the private key that signs tokens of service accounts; null if a flag names it. */
  readonly signingKey: string | null;
  /** Identity of the embedded store, in base64; null over etcd. */
  readonly storeIdentity: string | null;
  /** Whether the objects that every cluster starts with exist. */
  readonly started: boolean;
}

/** What the owner sends later: those objects exist; stop; a connection, with its socket. */
export type OwnerMessage =
  | Begin
  | { readonly kind: "started" }
  | { readonly kind: "stop" }
  | { readonly kind: "connection"; readonly id: number };

/** What a worker sends: it serves, it takes no more connections, it cannot serve, or it has a connection. */
export type WorkerMessage =
  | { readonly kind: "serving" }
  | { readonly kind: "stopping" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "accepted"; readonly id: number };

/** Samples of other processes, and how they are. In the bytes of the message: the metrics of each, those that ended last. */
export interface OthersData {
  readonly workers: readonly { readonly index: number; readonly pid: number; readonly up: boolean }[];
  readonly restarts: number;
  /** Version of the counters of workers that ended, which are the last of the bytes; null if there are none. */
  readonly ended: number | null;
}
