import type { SubresourceDescriptor, Verb } from "../contract/resource-descriptor.ts";
import type { ResourceEntry } from "../kinds/resource-entry.ts";
import type { Answer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";

/** Handles requests of one verb. Throws StatusErrors and the errors of the layers below. */
export type Handler = (request: ApiRequest) => Promise<Answer>;

/** The resource, subresource and verb of a request. */
export interface Route {
  readonly entry: ResourceEntry;
  readonly subresource: SubresourceDescriptor | undefined;
  readonly verb: Verb;
}

/** The handler of a route; undefined if there is none. */
export type FindHandler = (route: Route) => Handler | undefined;
