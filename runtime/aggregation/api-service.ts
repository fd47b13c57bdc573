import type { APIService, APIServiceCondition } from "../../api-definitions/apiregistration/v1/api-service.ts";
import type { ObjectOf } from "../contract/api-object.ts";
import type { ServiceReference } from "../values/service-address.ts";

export type ApiService = ObjectOf<APIService>;

const HTTPS_PORT = 443;

/** Returns the Service of an APIService; undefined if this server serves it. */
export function serviceOf({ spec }: ApiService): ServiceReference | undefined {
  const service = spec?.service;
  if (service === undefined || service === null) return undefined;
  const { namespace = "", name = "", port = HTTPS_PORT } = service;
  return { namespace, name, port };
}

export function isAvailable(registered: ApiService): boolean {
  return availableCondition(registered)?.status === "True";
}

/** Whether its status says that this server serves it (reason `Local`). */
export function saysLocal(registered: ApiService): boolean {
  return isAvailable(registered) && availableCondition(registered)?.reason === "Local";
}

function availableCondition({ status }: ApiService): APIServiceCondition | undefined {
  return status?.conditions?.find(({ type }) => type === "Available");
}
