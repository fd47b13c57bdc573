import type { ApiObject } from "../contract/api-object.ts";

export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** What an APIService says, as far as it matters to who asks for its group and version. */
export interface ApiService extends ApiObject {
  readonly spec?: {
    readonly group?: string;
    readonly version?: string;
    readonly service?: Partial<ServiceReference>;
    /** Base64 of PEM, or its bytes. */
    readonly caBundle?: string | Uint8Array;
    readonly insecureSkipTLSVerify?: boolean;
    readonly groupPriorityMinimum?: number;
    readonly versionPriority?: number;
  };
  readonly status?: { readonly conditions?: readonly Condition[] | null };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
}

const HTTPS_PORT = 443;

/** The service that answers for an APIService; undefined where this server does so itself. */
export function serviceOf({ spec }: ApiService): ServiceReference | undefined {
  const service = spec?.service;
  if (service === undefined || service === null) return undefined;
  const { namespace = "", name = "", port = HTTPS_PORT } = service;
  return { namespace, name, port };
}

export function isAvailable(registered: ApiService): boolean {
  return availableCondition(registered)?.status === "True";
}

/** Whether it says that this server answers for it. */
export function saysLocal(registered: ApiService): boolean {
  return isAvailable(registered) && availableCondition(registered)?.reason === "Local";
}

function availableCondition({ status }: ApiService): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "Available");
}
