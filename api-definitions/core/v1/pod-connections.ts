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

export interface PodAttachOptions extends TypeMeta {
  stdin?: boolean & OmitZero;
  stdout?: boolean & OmitZero;
  stderr?: boolean & OmitZero;
  tty?: boolean & OmitZero;
  container?: string & OmitZero;
}

export interface PodExecOptions extends TypeMeta {
  stdin?: boolean & OmitZero;
  stdout?: boolean & OmitZero;
  stderr?: boolean & OmitZero;
  tty?: boolean & OmitZero;
  container?: string & OmitZero;
  command: ListAtomic<string>;
}

export interface PodLogOptions extends TypeMeta {
  container?: string & OmitZero;
  follow?: boolean & OmitZero;
  previous?: boolean & OmitZero;
  sinceSeconds?: Int64;
  sinceTime?: Time;
  timestamps?: boolean & OmitZero;
  tailLines?: Int64;
  limitBytes?: Int64;
  insecureSkipTLSVerifyBackend?: boolean & OmitZero;
  stream?: string & Gated<"PodLogsQuerySplitStreams">;
}

export interface PodPortForwardOptions extends TypeMeta {
  ports?: ListAtomic<Int32>;
}

export interface PodProxyOptions extends TypeMeta {
  path?: string & OmitZero;
}

export const podAttachOptions = kind<PodAttachOptions>({ unserved: true, introduced: "1.1" });

export const podExecOptions = kind<PodExecOptions>({ unserved: true, introduced: "1.0" });

export const podLogOptions = kind<PodLogOptions>({ unserved: true, introduced: "1.0" });

export const podPortForwardOptions = kind<PodPortForwardOptions>({ unserved: true, introduced: "1.6" });

export const podProxyOptions = kind<PodProxyOptions>({ unserved: true, introduced: "1.0" });
