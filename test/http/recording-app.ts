import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import { createNaming } from "../../runtime/contract/naming.ts";
import type { ResourceDescriptor, Verb } from "../../runtime/contract/resource-descriptor.ts";
import type { ApiRequest } from "../../runtime/handlers/api-request.ts";
import type { Route } from "../../runtime/handlers/handler.ts";
import { createMediaTypes } from "../../runtime/http/negotiate/media-types.ts";
import { type AppContextParts, createApp } from "../../runtime/http/pipeline/app.ts";
import { authorizeRequest } from "../../runtime/http/pipeline/authorize-request.ts";
import { Budget } from "../../runtime/http/pipeline/budget.ts";
import { Slots } from "../../runtime/http/pipeline/slots.ts";
import { textNotFound } from "../../runtime/http/respond/plain-text.ts";
import { ApiSurface } from "../../runtime/kinds/api-surface.ts";
import type { ResourceEntry } from "../../runtime/kinds/resource-entry.ts";
import { systemClock } from "../../runtime/lib/clock.ts";
import { failure } from "../../runtime/values/status-errors.ts";

/** One kind of each type: cluster-scoped and namespaced, built-in and custom, with names that have other meanings elsewhere. */
export const KINDS: readonly [group: string, resource: string, namespaced: boolean, custom: boolean][] = [
  ["", "namespaces", false, false],
  ["", "nodes", false, false],
  ["", "pods", true, false],
  ["", "watch", true, false],
  ["", "status", true, false],
  ["apps", "deployments", true, false],
  ["apps", "namespaces", true, false],
  ["zoo.example.com", "namespaces", false, true],
  ["zoo.example.com", "cages", false, true],
  ["zoo.example.com", "lions", true, true],
  ["zoo.example.com", "constructor", true, true],
];

const ALL_VERBS: readonly Verb[] = ["get", "list", "watch", "create", "update", "patch", "delete", "deletecollection"];

function entryOf([group, resource, namespaced, isCustom]: (typeof KINDS)[number]): ResourceEntry {
  const kind = { group, version: "v1", kind: resource };
  const subresources = [
    ...["status", "finalize", "scale"].map((name) => ({ name, verbs: ["get", "update", "patch"] })),
    ...(isCustom ? [] : [{ name: "proxy", verbs: [], connect: { methods: ["GET", "POST", "FOO"], path: true } }]),
  ];
  const descriptor = {
    ...kind,
    ...{ resource, namespaced, subresources, verbs: ALL_VERBS, selectableFields: [], type: "", columns: [] },
    ...(isCustom && { custom: { terminating: false, versions: ["v1"] } }),
    storage: { ...kind, resource, type: "" },
  } as unknown as ResourceDescriptor;
  const loaded = { descriptor } as unknown as NonNullable<ResourceEntry["loaded"]>;
  return { descriptor, loaded, load: () => Promise.resolve(loaded) };
}

export interface Outcome {
  readonly status: number;
  readonly authorized: AccessAttributes | undefined;
  readonly served: { readonly route: Route; readonly request: ApiRequest } | undefined;
  readonly servedPath: string | undefined;
}

/** Creates the server's pipeline for test kinds. Every request is authorized, and requests are only recorded. */
export function recordingApp() {
  const groups = ["", "apps", "zoo.example.com"].map((name) => ({
    name,
    versions: ["v1"],
    preferredVersion: "v1",
    ...(name === "zoo.example.com" && { custom: true as const }),
  }));
  const surface = new ApiSurface(groups, KINDS.map(entryOf));
  let noted: { -readonly [K in keyof Outcome]: Outcome[K] };
  const authorizer = {
    authorize(attributes: AccessAttributes) {
      noted.authorized = attributes;
      return { decision: "allow" as const, reason: "" };
    },
  };
  const parts: Partial<AppContextParts> = {
    naming: createNaming({ vendor: "kubernetes", domain: "k8s.io" }),
    types: createMediaTypes({ vendor: "kubernetes", domain: "k8s.io" }),
    schemas: { of: () => undefined } as unknown as AppContextParts["schemas"],
    allowedOrigins: [],
    authenticate: () => Promise.resolve({ name: "somebody", groups: [] }),
    impersonate: () => undefined,
    authorize: authorizeRequest(authorizer, true, { decision: "", reason: "" }),
    requestTimeoutMs: 0,
    clock: systemClock,
    metrics: { begin: () => undefined, end: () => undefined },
    access: { authenticated: () => undefined, authorized: () => undefined },
    newUid: () => "uid",
    monotonic: () => performance.now(),
    onUnexpected: (error) => {
      throw error;
    },
    surface: () => surface,
    understood: (query) => query,
    forward: () => undefined,
    streamsLists: false,
    deprecation: () => undefined,
    findHandler: (route) => async (served) => {
      noted.served = { route, request: served };
      throw failure(418, "Invalid", "noted", {});
    },
    paths: {
      health: { healthz: [], livez: [], readyz: [] },
      version: {},
      discovery: { surface: () => surface, groups: () => groups },
      openIdDocument: async () => undefined,
      metrics: async () => "",
      answerOpenApi: async (ctx: Parameters<typeof textNotFound>[0], path: string) => {
        noted.servedPath = path;
        await textNotFound(ctx);
        return true;
      },
    } as unknown as AppContextParts["paths"],
  };
  const longRunning = new Budget("longrunning_requests", { perUser: 0, total: 0 });
  const limits = { limits: { reads: new Slots("reads", 0), writes: new Slots("writes", 0), longRunning } };
  const handle = createApp({ ...parts, ...limits } as AppContextParts).callback();
  return async (method: string, url: string): Promise<Outcome> => {
    noted = { status: 0, authorized: undefined, served: undefined, servedPath: undefined };
    const req = new IncomingMessage(new Socket());
    Object.assign(req, { method, url, httpVersionMajor: 1 });
    req.headers["content-type"] = "application/merge-patch+json";
    const res = new ServerResponse(req);
    await handle(req, res);
    return { ...noted, status: res.statusCode };
  };
}
