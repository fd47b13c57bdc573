import type { RequestVerb, ResourceRequestInfo } from "../../contract/request-info.ts";
import type { Verb } from "../../contract/resource-descriptor.ts";
import type { Route } from "../../handlers/handler.ts";
import { checkNameInPath } from "../../handlers/write-context.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { ResourceEntry } from "../../kinds/resource-entry.ts";
import {
  failure,
  methodNotAllowed,
  methodNotSupported,
  notFound,
  notServed,
  unknownPath,
} from "../../values/status-errors.ts";

const COLLECTION_VERBS: readonly Verb[] = ["list", "watch", "create", "deletecollection"];
const OBJECT_VERBS: readonly Verb[] = ["get", "update", "patch", "delete", "watch"];

/**
 * Finds the route of a request. `"nothing"`: no API has this path, and the response is plain text. Throws 404 and 405 as Status. For a
 * custom kind, adds its warnings to `warnings`, with or without a route.
 */
export function findRoute(surface: ApiSurface, info: ResourceRequestInfo, warnings: Set<string>): Route | "nothing" {
  const isPathOfGroup = info.group !== "" || info.path.startsWith("/api/");
  if (info.path.startsWith("//") || !isPathOfGroup) return "nothing";
  const route = routeOf(surface, info, warnings);
  if (info.named && route !== "nothing" && checksNameFirst(route)) checkNameInPath(info.name);
  return route;
}

/**
 * Whether the name in the path is validated first. For updates of an object or its status, it is first compared with the name in the body;
 * creations have their name in the body.
 */
function checksNameFirst({ verb, subresource }: Route): boolean {
  return verb !== "create" && (verb !== "update" || (subresource?.name ?? "status") !== "status");
}

function routeOf(surface: ApiSurface, info: ResourceRequestInfo, warnings: Set<string>): Route | "nothing" {
  if (!surface.hasGroup(info.group)) {
    refuseIfOff(surface, info);
    return info.group === "" ? refuse() : "nothing";
  }
  if (!isAnswered(info)) {
    return refuse();
  }
  const entry = surface.find(info.group, info.version, info.resource);
  if (entry === undefined) {
    refuseIfOff(surface, info);
    return surface.group(info.group)?.custom ? "nothing" : refuse();
  }
  const { descriptor } = entry;
  const { named, inNamespace, method } = info;
  if ((inNamespace && !descriptor.namespaced) || (named && descriptor.namespaced && !inNamespace)) {
    return descriptor.custom ? "nothing" : refuse();
  }
  if (descriptor.custom !== undefined) {
    if (descriptor.custom.warning !== undefined) warnings.add(descriptor.custom.warning);
    return routeCustom(entry, info);
  }
  if (info.subresource !== "") {
    return routeSubresource(entry, info);
  }
  const possible = named ? OBJECT_VERBS : COLLECTION_VERBS;
  const available = possible.filter((verb) => descriptor.verbs.includes(verb));
  const acrossNamespaces = !named && descriptor.namespaced && !inNamespace;
  const offered = acrossNamespaces ? available.filter((verb) => verb === "list" || verb === "watch") : available;
  if (offered.length === 0) {
    throw unknownPath();
  }
  const { verb } = info;
  const watchesOtherwise = verb === "watch" && method !== "GET";
  if (verb === "watch" && method === "GET" && offered.includes("list") && !offered.includes("watch")) {
    throw methodNotSupported(info, "watch");
  }
  if (method === "HEAD" || watchesOtherwise || verb === "" || !offered.includes(verb)) {
    throw methodNotAllowed();
  }
  return { entry, subresource: undefined, verb };
}

type AnsweredRequest = ResourceRequestInfo & { readonly verb: Exclude<RequestVerb, "proxy"> };

function isAnswered(info: ResourceRequestInfo): info is AnsweredRequest {
  return info.verb !== "proxy";
}

/** Routes requests for custom kinds by verb, name and subresource, regardless of the method and the rest of the path. */
function routeCustom(entry: ResourceEntry, info: AnsweredRequest): Route | "nothing" {
  const { descriptor } = entry;
  const { verb, named } = info;
  if (info.subresource !== "") {
    const subresource = descriptor.subresources.find(({ name }) => name === info.subresource);
    if (subresource === undefined) throw notFound(info, info.name);
    if (verb === "" || !subresource.verbs.includes(verb)) throw methodNotSupported(info, verb);
    return { entry, subresource, verb };
  }
  const acrossNamespaces = !named && descriptor.namespaced && info.namespace === "";
  if (acrossNamespaces && verb !== "list" && verb !== "watch") return "nothing";
  if (verb === "" || !descriptor.verbs.includes(verb)) throw methodNotSupported(info, verb);
  if (verb === "create" && descriptor.custom?.terminating) throw createWhileTerminating(info);
  return { entry, subresource: undefined, verb };
}

function routeSubresource(entry: ResourceEntry, info: AnsweredRequest): Route {
  const { method } = info;
  const subresource = entry.descriptor.subresources.find(({ name }) => name === info.subresource);
  const takesPath = subresource?.connect?.path === true;
  if (subresource === undefined || !info.named || info.verb === "watch" || (info.rest.length > 0 && !takesPath)) {
    throw unknownPath();
  }
  if (subresource.connect !== undefined) {
    if (!subresource.connect.methods.includes(method)) {
      throw methodNotAllowed();
    }
    return { entry, subresource, verb: info.verb === "" ? "get" : info.verb };
  }
  const { verb } = info;
  if (method === "HEAD" || verb === "" || !subresource.verbs.includes(verb)) {
    throw methodNotAllowed();
  }
  return { entry, subresource, verb };
}

function createWhileTerminating({ group, resource }: ResourceRequestInfo) {
  const message = "create not allowed while custom resource definition is terminating";
  return failure(405, "MethodNotAllowed", message, { group, kind: resource });
}

/** Throws 404 with a reason for a kind that the definitions contain but this server does not serve. */
function refuseIfOff(surface: ApiSurface, { group, version, resource }: ResourceRequestInfo): void {
  const reason = surface.whyNotServed(group, version, resource);
  if (reason !== undefined) throw notServed({ group, resource }, reason);
}

function refuse(): never {
  throw unknownPath();
}
