import type { AddressInfo } from "node:net";
import type { ClusterIdentity } from "../../auth/pki/cluster-identity.ts";
import type { ServerConfig } from "../server-config.ts";

/** File descriptors that a worker inherits, after those of stdin, stdout, stderr and IPC. */
export const CHANNEL_FD = 4;
export const REVISION_FD = 5;

/** The first message to a worker: everything that it cannot derive from the flags. */
export interface Begin {
  readonly kind: "begin";
  /** Index of the worker, from 1. */
  readonly index: number;
  /** Address on which the owner listens. */
  readonly address: AddressInfo;
  /** Command-line flags by name. */
  readonly flags: readonly (readonly [string, readonly string[]])[];
  readonly tokenAuthFile: ServerConfig["tokenAuthFile"] | null;
  readonly identity: ClusterIdentity;
  /** PEM of the private key that signs service account tokens; null if a flag names the key. */
  readonly signingKey: string | null;
  /** Identity of the embedded store in base64; null with etcd. */
  readonly storeIdentity: string | null;
  /** Whether the bootstrap objects exist. */
  readonly started: boolean;
}

/** Messages from the owner after `Begin`: the bootstrap objects exist; stop; a connection, with its socket. */
export type OwnerMessage =
  | Begin
  | { readonly kind: "started" }
  | { readonly kind: "stop" }
  | { readonly kind: "connection"; readonly id: number };

/** Messages from a worker: it serves; it accepts no more connections; it cannot serve; it has received a connection. */
export type WorkerMessage =
  | { readonly kind: "serving" }
  | { readonly kind: "stopping" }
  | { readonly kind: "failed"; readonly message: string }
  | { readonly kind: "accepted"; readonly id: number };

/** State of the other processes. The bytes of the message contain the metrics of each, with those of ended workers last. */
export interface OthersData {
  readonly workers: readonly { readonly index: number; readonly pid: number; readonly up: boolean }[];
  readonly restarts: number;
  /** Version of the counters of ended workers, which are the last entry of the bytes; null if there are none. */
  readonly ended: number | null;
}
