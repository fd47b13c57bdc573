import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Gated,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type OmitZero,
  type Since,
  type Time,
} from "../../vocabulary.ts";

/** Query parameters of the subresource `attach`, which connects to the main process of a running container. */
export interface PodAttachOptions extends TypeMeta {
  /** Whether to send standard input to the container. Unset means `false`. */
  stdin?: boolean & OmitZero;
  /** Whether to receive standard output of the container. Unset counts as `true`. */
  stdout?: boolean & OmitZero;
  /**
   * Whether to receive standard error of the container. Unset counts as `true`. With `tty` it is part of standard
   * output.
   */
  stderr?: boolean & OmitZero;
  /** Whether the connection is a terminal. The container must have been started with `tty`. Unset means `false`. */
  tty?: boolean & OmitZero;
  /** Name of the container. Required if the pod has several containers, otherwise the only one is used. */
  container?: string & OmitZero;
}

/** Query parameters of the subresource `exec`, which runs a command in a running container. */
export interface PodExecOptions extends TypeMeta {
  /** Whether to send standard input to the command. Unset means `false`. */
  stdin?: boolean & OmitZero;
  /** Whether to receive standard output of the command. Unset counts as `true`. */
  stdout?: boolean & OmitZero;
  /**
   * Whether to receive standard error of the command. Unset counts as `true`. With `tty` it is part of standard output.
   */
  stderr?: boolean & OmitZero;
  /** Whether to allocate a terminal for the command. Unset means `false`. */
  tty?: boolean & OmitZero;
  /** Name of the container. Required if the pod has several containers, otherwise the only one is used. */
  container?: string & OmitZero;
  /** Program and its arguments; run directly, without a shell. In the query, one parameter for each. */
  command: ListAtomic<string>;
}

/** Query parameters of the subresource `log`, which returns the log of a container. */
export interface PodLogOptions extends TypeMeta {
  /** Name of the container. Required if the pod has several containers, otherwise the only one is used. */
  container?: string & OmitZero;
  /** Whether to stream further lines as they are written, until the container ends. Unset means `false`. */
  follow?: boolean & OmitZero;
  /** Whether to return the log of the previous run of the container, before its last restart. Unset means `false`. */
  previous?: boolean & OmitZero;
  /**
   * Age in seconds, by the clock of the node, beyond which lines are left out. At least 1. Excludes `sinceTime`. No
   * limit if unset.
   */
  sinceSeconds?: Int64;
  /** Time (RFC 3339) before which lines are left out. Excludes `sinceSeconds`. No limit if unset. */
  sinceTime?: Time;
  /** Whether to put the time (RFC 3339) before each line. Unset means `false`. */
  timestamps?: boolean & OmitZero;
  /**
   * Number of lines from the end of the log to return, at least 0. If unset, the log is returned from its beginning, or
   * from `sinceSeconds` or `sinceTime`.
   */
  tailLines?: Int64;
  /** Number of bytes after which the response ends, at least 1. The last line may be cut off. No limit if unset. */
  limitBytes?: Int64;
  /**
   * Whether to skip verification of the kubelet's serving certificate. The log may then come from an impostor. Use it
   * only to debug nodes with broken certificates. Unset means `false`.
   */
  insecureSkipTLSVerifyBackend?: boolean & OmitZero & Since<"1.17">;
  /** Stream to return: `All`, `Stdout` or `Stderr`. `Stdout` and `Stderr` exclude `tailLines`. Unset means `All`. */
  stream?: string & Gated<"PodLogsQuerySplitStreams">;
}

/** Query parameters of the subresource `portforward`, which forwards connections to ports of a pod. */
export interface PodPortForwardOptions extends TypeMeta {
  /** Ports of the pod to which connections can be forwarded. Required for connections by WebSocket. */
  ports?: ListAtomic<Int32>;
}

/** Query parameters of the subresource `proxy`, which forwards an HTTP request to a pod. */
export interface PodProxyOptions extends TypeMeta {
  /** Path of the request to the pod, as part of the URL after `proxy/`. */
  path?: string & OmitZero;
}

export const podAttachOptions = kind<PodAttachOptions>({ unserved: true, introduced: "1.1" });

export const podExecOptions = kind<PodExecOptions>({ unserved: true, introduced: "1.0" });

export const podLogOptions = kind<PodLogOptions>({ unserved: true, introduced: "1.0" });

export const podPortForwardOptions = kind<PodPortForwardOptions>({ unserved: true, introduced: "1.6" });

export const podProxyOptions = kind<PodProxyOptions>({ unserved: true, introduced: "1.0" });
