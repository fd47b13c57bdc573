import type {
  Default,
  Deprecated,
  Int32,
  Int64,
  IntOrString,
  ListAtomic,
  Nullable,
  OmitZero,
  Published,
  Since,
} from "../../vocabulary.ts";

export type Signal =
  | "SIGABRT"
  | "SIGALRM"
  | "SIGBUS"
  | "SIGCHLD"
  | "SIGCLD"
  | "SIGCONT"
  | "SIGFPE"
  | "SIGHUP"
  | "SIGILL"
  | "SIGINT"
  | "SIGIO"
  | "SIGIOT"
  | "SIGKILL"
  | "SIGPIPE"
  | "SIGPOLL"
  | "SIGPROF"
  | "SIGPWR"
  | "SIGQUIT"
  | "SIGSEGV"
  | "SIGSTKFLT"
  | "SIGSTOP"
  | "SIGSYS"
  | "SIGTERM"
  | "SIGTRAP"
  | "SIGTSTP"
  | "SIGTTIN"
  | "SIGTTOU"
  | "SIGURG"
  | "SIGUSR1"
  | "SIGUSR2"
  | "SIGVTALRM"
  | "SIGWINCH"
  | "SIGXCPU"
  | "SIGXFSZ"
  | "SIGRTMIN"
  | "SIGRTMIN+1"
  | "SIGRTMIN+2"
  | "SIGRTMIN+3"
  | "SIGRTMIN+4"
  | "SIGRTMIN+5"
  | "SIGRTMIN+6"
  | "SIGRTMIN+7"
  | "SIGRTMIN+8"
  | "SIGRTMIN+9"
  | "SIGRTMIN+10"
  | "SIGRTMIN+11"
  | "SIGRTMIN+12"
  | "SIGRTMIN+13"
  | "SIGRTMIN+14"
  | "SIGRTMIN+15"
  | "SIGRTMAX-14"
  | "SIGRTMAX-13"
  | "SIGRTMAX-12"
  | "SIGRTMAX-11"
  | "SIGRTMAX-10"
  | "SIGRTMAX-9"
  | "SIGRTMAX-8"
  | "SIGRTMAX-7"
  | "SIGRTMAX-6"
  | "SIGRTMAX-5"
  | "SIGRTMAX-4"
  | "SIGRTMAX-3"
  | "SIGRTMAX-2"
  | "SIGRTMAX-1"
  | "SIGRTMAX";

/** Actions that the kubelet runs on events in the lifecycle of a container, and the signal that stops it. */
export interface Lifecycle {
  /**
   * Runs right after the container was created, in parallel with its entrypoint. Until it finishes, the container does
   * not count as running. If it fails, the container is killed and restarted according to the restart policy.
   */
  postStart?: LifecycleHandler;
  /**
   * Runs before the container is stopped by a deletion, a failed probe or preemption; not if it exits by itself. The
   * stop signal is sent when it finishes, or when the termination grace period, which runs meanwhile, is over.
   */
  preStop?: LifecycleHandler;
  /**
   * Signal that asks the container to stop. Requires `os.name` of the pod. If unset, that of the image or the runtime's
   * default, SIGTERM, is used. Dropped unless the feature gate `ContainerStopSignals` is on; it is off by default.
   */
  stopSignal?: Signal & Since<"1.33">;
}

/** An action in the lifecycle of a container. Exactly one field must be set. */
export interface LifecycleHandler {
  /** Command to run in the container. It fails if the exit code is not 0. */
  exec?: ExecAction;
  /** HTTP GET request to send to the container. */
  httpGet?: HTTPGetAction;
  /** Accepted for compatibility only: a hook with it fails when it runs. */
  tcpSocket?: TCPSocketAction & Deprecated<"use `exec` or `httpGet` instead">;
  /** Time to wait, such as to delay the stop of a container until no more requests arrive. */
  sleep?: SleepAction;
}

/** Runs a command in the container; exit code 0 means success. */
export interface ExecAction {
  /**
   * Program and arguments, at least the program. Run directly, without a shell: for pipes and the like run a shell
   * explicitly. The working directory is the root of the container's file system.
   */
  command?: ListAtomic<string>;
}

/** Sends an HTTP GET request. A response with a status from 200 to 399 means success. */
export interface HTTPGetAction {
  /** Path of the request, with its query. */
  path?: string & OmitZero & Default<"/">;
  /** Port to connect to: a number from 1 to 65535 or the name of a port of the container. */
  port: IntOrString;
  /**
   * Host name or address to connect to. Defaults to the IP address of the pod. To send another `Host` header, set it in
   * `httpHeaders` instead.
   */
  host?: string & OmitZero;
  /** Scheme of the request. Certificates are not verified with `HTTPS`. */
  scheme?: URIScheme & OmitZero & Default<"HTTP">;
  /** Headers to add to the request. A name may occur several times. */
  httpHeaders?: ListAtomic<HTTPHeader>;
}

export type URIScheme =
  /** Plain HTTP. */
  | "HTTP"
  /** HTTP over TLS. */
  | "HTTPS";

/** A header of an HTTP request. */
export interface HTTPHeader {
  /** Name of the header, made of letters, digits and hyphens. Sent in canonical form, so that case does not matter. */
  name: string;
  /** Value of the header. */
  value: string;
}

/** Opens a TCP connection. Success means that the connection is established. */
export interface TCPSocketAction {
  /** Port to connect to: a number from 1 to 65535 or the name of a port of the container. */
  port: IntOrString;
  /** Host name or address to connect to. Defaults to the IP address of the pod. */
  host?: string & OmitZero;
}

/** Waits for a number of seconds. */
export interface SleepAction {
  /** Number of seconds to wait, from 0 to `terminationGracePeriodSeconds` of the pod. */
  seconds: Int64;
}

/**
 * A periodic check of a container by the kubelet. Exactly one of `exec`, `httpGet`, `tcpSocket` and `grpc` must be set.
 */
export interface Probe extends ProbeHandler {
  /** Seconds between the start of the container and the first check. */
  initialDelaySeconds?: Int32 & OmitZero;
  /** Seconds after which a check without a result has failed. `0` counts as unset. */
  timeoutSeconds?: Int32 & OmitZero & Default<1>;
  /** Seconds between checks. `0` counts as unset. */
  periodSeconds?: Int32 & OmitZero & Default<10>;
  /**
   * Consecutive successes after a failure that make the probe succeed again. Must be `1` for liveness and startup
   * probes. `0` counts as unset.
   */
  successThreshold?: Int32 & OmitZero & Default<1>;
  /** Consecutive failures after a success that make the probe fail. `0` counts as unset. */
  failureThreshold?: Int32 & OmitZero & Default<3>;
  /**
   * Seconds that the container has to stop after the probe has failed, at least 1. Overrides that of the pod, which is
   * used if this is unset. Not allowed for readiness probes.
   */
  terminationGracePeriodSeconds?: Int64 & Since<"1.21">;
}

/** The check that a probe makes. Exactly one field must be set. */
export interface ProbeHandler {
  /** Command that is run in the container for each check; exit code 0 means success. */
  exec?: ExecAction;
  /** HTTP GET request that is sent for each check; a status from 200 to 399 means success. */
  httpGet?: HTTPGetAction;
  /** TCP connection that is opened for each check; success means that it is established. */
  tcpSocket?: TCPSocketAction;
  /** Call of the gRPC health checking service of the container for each check; the response `SERVING` means success. */
  grpc?: GRPCAction;
}

/** Calls the standard gRPC health checking service (`grpc.health.v1.Health`). Success means the response `SERVING`. */
export interface GRPCAction {
  /** Port of the gRPC server, from 1 to 65535. Names are not supported. */
  port: Int32;
  /** Name of the service whose health is requested. If empty, the server decides, usually about its overall health. */
  service?: string & Nullable & Default<""> & Published;
}
