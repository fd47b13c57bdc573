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
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] | null };
}

const HTTPS_PORT = 443;

/** The service that answers for an APIService; undefined where this server does so itself. */
export function serviceOf({ spec }: ApiService): ServiceReference | undefined {
  const service = spec?.service;
  if (service === undefined || service === null) return undefined;
  const { namespace = "", name = "", port = HTTPS_PORT } = service;
  return { namespace, name, port };
}

export function isAvailable({ status }: ApiService): boolean {
  return status?.conditions?.find(({ type }) => type === "Available")?.status === "True";
}
