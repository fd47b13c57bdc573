import type { TypeMeta } from "../../meta/v1/type-meta.ts";
import {
  type Gated,
  type Int32,
  type Int64,
  kind,
  type ListAtomic,
  type OmitZero,
  type Time,
} from "../../vocabulary.ts";

/** Query parameters of a connection to a running container. */
export interface PodAttachOptions extends TypeMeta {
  /** Passes standard input on. */
  stdin?: boolean & OmitZero;
  /** Passes standard output back. */
  stdout?: boolean & OmitZero;
  /** Passes standard error back. */
  stderr?: boolean & OmitZero;
  /** Asks for a terminal. */
  tty?: boolean & OmitZero;
  /** Which container, if there are several. */
  container?: string & OmitZero;
}

/** Query parameters of a command run in a container. */
export interface PodExecOptions extends TypeMeta {
  /** Passes standard input on. */
  stdin?: boolean & OmitZero;
  /** Passes standard output back. */
  stdout?: boolean & OmitZero;
  /** Passes standard error back. */
  stderr?: boolean & OmitZero;
  /** Asks for a terminal. */
  tty?: boolean & OmitZero;
  /** Which container, if there are several. */
  container?: string & OmitZero;
  /** The program and its arguments. */
  command: ListAtomic<string>;
}

/** Query parameters of a request for logs. */
export interface PodLogOptions extends TypeMeta {
  /** Which container, if there are several. */
  container?: string & OmitZero;
  /** Keeps the log coming as it grows. */
  follow?: boolean & OmitZero;
  /** The log of the run before the last restart. */
  previous?: boolean & OmitZero;
  /** Only lines of the last so many seconds. */
  sinceSeconds?: Int64;
  /** Only lines since this moment. */
  sinceTime?: Time;
  /** Puts the time before every line. */
  timestamps?: boolean & OmitZero;
  /** Only so many lines from the end. */
  tailLines?: Int64;
  /** Only so many bytes. */
  limitBytes?: Int64;
  /** Does not check the kubelet's certificate. */
  insecureSkipTLSVerifyBackend?: boolean & OmitZero;
  /** Which stream to read. */
  stream?: string & Gated<"PodLogsQuerySplitStreams">;
}

/** Query parameters of forwarded ports. */
export interface PodPortForwardOptions extends TypeMeta {
  /** Ports of the pod. */
  ports?: ListAtomic<Int32>;
}

/** Query parameters of a request passed on to a pod. */
export interface PodProxyOptions extends TypeMeta {
  /** Path to ask the pod for. */
  path?: string & OmitZero;
}

export const podAttachOptions = kind<PodAttachOptions>({ unserved: true, introduced: "1.1" });

export const podExecOptions = kind<PodExecOptions>({ unserved: true, introduced: "1.0" });

export const podLogOptions = kind<PodLogOptions>({ unserved: true, introduced: "1.0" });

export const podPortForwardOptions = kind<PodPortForwardOptions>({ unserved: true, introduced: "1.6" });

export const podProxyOptions = kind<PodProxyOptions>({ unserved: true, introduced: "1.0" });
