import type {
  Default,
  Deprecated,
  Gated,
  Int32,
  Int64,
  IntOrString,
  ListAtomic,
  Minimum,
  Nullable,
  OmitZero,
  Published,
} from "../../vocabulary.ts";
import type { Signal } from "./container-status.ts";

/** What to do at the start and end of a container. */
export interface Lifecycle {
  /** Runs right after the start. */
  postStart?: LifecycleHandler;
  /** Runs right before the stop. */
  preStop?: LifecycleHandler;
  /** Signal that asks the program to stop. */
  stopSignal?: Signal & Gated<"ContainerStopSignals">;
}

/** What to do; one of the four. */
export interface LifecycleHandler {
  /** Runs a command in the container. */
  exec?: ExecAction;
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction;
  /** No longer does anything. */
  tcpSocket?: TCPSocketAction & Deprecated;
  /** Waits a while. */
  sleep?: SleepAction & Gated<"PodLifecycleSleepAction">;
}

/** Runs a command in the container; exit code 0 means success. */
export interface ExecAction {
  /** The program and its arguments, without a shell. */
  command?: ListAtomic<string>;
}

/** Sends an HTTP GET; any status from 200 to 399 means success. */
export interface HTTPGetAction {
  /** Path to ask for. */
  path?: string & OmitZero & Default<"/">;
  /** Port, by number or name. */
  port: IntOrString;
  /** Host to connect to, in place of the pod's address. */
  host?: string & OmitZero;
  /** `HTTP` or `HTTPS`. */
  scheme?: URIScheme & OmitZero & Default<"HTTP">;
  /** Headers to send. */
  httpHeaders?: ListAtomic<HTTPHeader>;
}

export type URIScheme = "HTTP" | "HTTPS";

/** A header of a request. */
export interface HTTPHeader {
  /** Name of the header. */
  name: string;
  /** Its value. */
  value: string;
}

/** Opens a connection; success is that it opens. */
export interface TCPSocketAction {
  /** Port, by number or name. */
  port: IntOrString;
  /** Host to connect to, in place of the pod's address. */
  host?: string & OmitZero;
}

/** Waits a while. */
export interface SleepAction {
  /** How many seconds. */
  seconds: Int64;
}

/** A check of a container, made again and again. */
export interface Probe extends ProbeHandler {
  /** Seconds after the start before the first check. */
  initialDelaySeconds?: Int32 & OmitZero & Minimum<0>;
  /** Seconds after which a check counts as failed. */
  timeoutSeconds?: Int32 & OmitZero & Default<1> & Minimum<0>;
  /** Seconds between checks. */
  periodSeconds?: Int32 & OmitZero & Default<10> & Minimum<0>;
  /** Successes in a row that end a failure. */
  successThreshold?: Int32 & OmitZero & Default<1> & Minimum<0>;
  /** Failures in a row that count. */
  failureThreshold?: Int32 & OmitZero & Default<3> & Minimum<0>;
  /** Seconds the container gets to stop when the check has failed. */
  terminationGracePeriodSeconds?: Int64;
}

/** How to check; one of the four. */
export interface ProbeHandler {
  /** Runs a command in the container. */
  exec?: ExecAction;
  /** Sends an HTTP request. */
  httpGet?: HTTPGetAction;
  /** Opens a connection. */
  tcpSocket?: TCPSocketAction;
  /** Asks a gRPC health service. */
  grpc?: GRPCAction;
}

/** Asks a gRPC health service. */
export interface GRPCAction {
  /** Port of the service. */
  port: Int32;
  /** Name of the service to ask about. */
  service?: string & Nullable & Default<""> & Published;
}
