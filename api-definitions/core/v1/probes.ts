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

export interface Lifecycle {
  postStart?: LifecycleHandler;
  preStop?: LifecycleHandler;
  stopSignal?: Signal;
}

export interface LifecycleHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction & Deprecated;
  sleep?: SleepAction & Gated<"PodLifecycleSleepAction">;
}

export interface ExecAction {
  command?: ListAtomic<string>;
}

export interface HTTPGetAction {
  path?: string & OmitZero & Default<"/">;
  port: IntOrString;
  host?: string & OmitZero;
  scheme?: URIScheme & OmitZero & Default<"HTTP">;
  httpHeaders?: ListAtomic<HTTPHeader>;
}

export type URIScheme = "HTTP" | "HTTPS";

export interface HTTPHeader {
  name: string;
  value: string;
}

export interface TCPSocketAction {
  port: IntOrString;
  host?: string & OmitZero;
}

export interface SleepAction {
  seconds: Int64;
}

export interface Probe extends ProbeHandler {
  initialDelaySeconds?: Int32 & OmitZero & Minimum<0>;
  timeoutSeconds?: Int32 & OmitZero & Default<1> & Minimum<0>;
  periodSeconds?: Int32 & OmitZero & Default<10> & Minimum<0>;
  successThreshold?: Int32 & OmitZero & Default<1> & Minimum<0>;
  failureThreshold?: Int32 & OmitZero & Default<3> & Minimum<0>;
  terminationGracePeriodSeconds?: Int64;
}

export interface ProbeHandler {
  exec?: ExecAction;
  httpGet?: HTTPGetAction;
  tcpSocket?: TCPSocketAction;
  grpc?: GRPCAction;
}

export interface GRPCAction {
  port: Int32;
  service?: string & Nullable & Default<""> & Published;
}
