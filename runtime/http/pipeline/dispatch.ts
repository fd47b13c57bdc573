import type { RequestQuery, ResourceRequestInfo } from "../../contract/request-info.ts";
import { StatusError } from "../../contract/status.ts";
import { LARGE_YAML, parseLargeYaml } from "../../encoding/yaml/large-yaml.ts";
import type { WatchAnswer } from "../../handlers/answer.ts";
import type { ApiRequest } from "../../handlers/api-request.ts";
import type { FindHandler, Route } from "../../handlers/handler.ts";
import { checkListOptions } from "../../handlers/list-options.ts";
import { patchKindOf } from "../../handlers/patch/apply-patch.ts";
import { booleanParameter } from "../../handlers/query-options.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { inSpan } from "../../lib/trace-context.ts";
import {
  badRequest,
  failure,
  mediaTypesAccepted,
  methodNotAllowed,
  notAcceptable,
  unsupportedMediaType,
} from "../../values/status-errors.ts";
import { isPretty } from "../negotiate/is-pretty.ts";
import {
  acceptable,
  formatOfBody,
  isAccepted,
  JSON_PLAIN,
  type NegotiationRules,
  negotiate,
  type Representation,
} from "../negotiate/negotiate.ts";
import { textNotFound } from "../respond/plain-text.ts";
import { type ResponseContext, respond } from "../respond/respond.ts";
import { leaveSlotForBody, receiveBody } from "../transport/read-body.ts";
import type { AppContext } from "./app-state.ts";
import type { Budget } from "./budget.ts";
import { headerText } from "./credentials.ts";
import { answerPath, type PathContext } from "./fixed-paths.ts";
import { findRoute } from "./route.ts";

export interface DispatchContext extends ResponseContext {
  readonly surface: () => ApiSurface;
  readonly paths: PathContext;
  /** Forwards a request to the extension server that serves it. Returns undefined if this server does. */
  readonly forward: (ctx: AppContext) => Promise<void> | undefined;
  readonly findHandler: FindHandler;
  /** Bytes of request bodies that have not arrived completely. */
  readonly arriving: Budget;
  /** The warning and audit annotations for a deprecated version. Counts its use. */
  readonly deprecation: (route: Route) => DeprecatedUse | undefined;
  /** Whether a watch may begin with the present state (feature gate `WatchList`). */
  readonly streamsLists: boolean;
  /** Whether sending a response is a span of a trace. */
  readonly tracesResponses?: boolean;
  /** Removes the parameters of disabled features from the query. */
  readonly understood: (query: RequestQuery) => RequestQuery;
}

/** Use of a deprecated version: a warning for the client, and annotations of the audit event. */
export interface DeprecatedUse {
  readonly warning: string;
  readonly annotations: { readonly [key: string]: string };
}

/** Innermost middleware: finds the handler, calls it, and sends its response. */
export function dispatch(context: DispatchContext) {
  return async (ctx: AppContext): Promise<void> => {
    const { info } = ctx.state;
    const forwarded = context.forward(ctx);
    if (forwarded !== undefined) {
      // It is unknown when a watch of an extension server has completed its start.
      if (info.verb === "watch") ctx.state.slot?.end();
      else leaveSlotForBody(ctx);
      return forwarded;
    }
    if (!info.isResource) {
      await answerPath(ctx, info.path, context.paths);
      return;
    }
    const route = findRoute(context.surface(), info, ctx.state.warnings);
    if (route === "nothing") {
      await textNotFound(ctx);
      return;
    }
    const handler = context.findHandler(route);
    if (handler === undefined) {
      throw methodNotAllowed();
    }
    const rules = negotiationRules(route, context.streamsLists && asksForInitialEvents(info.query));
    const isCustom = route.entry.descriptor.custom !== undefined;
    // Kubernetes checks paths and media types of built-in kinds before it counts a request, and those of custom kinds afterwards.
    if (!isCustom && !isConnection(route)) checkMediaTypes(ctx, route, rules, context);
    const deprecated = context.deprecation(route);
    for (const [key, value] of Object.entries(deprecated?.annotations ?? {})) ctx.state.trail?.annotate(key, value);
    if (isCustom) checkCustom(ctx, info, route, context);
    if (deprecated !== undefined) ctx.state.warnings.add(deprecated.warning);
    const query = context.understood(info.query);
    if (route.verb === "list" || route.verb === "watch") checkListOptions(query, info.selectors, context.streamsLists);
    const representation = representationFor(ctx, route, rules, context);
    const resource = route.entry.loaded ?? (await route.entry.load());
    const answer = await handler(apiRequest(ctx, info, route, resource, query, context));
    if (answer.type === "watch" && representation.format === "yaml") refuseStream(answer, context);
    if (context.tracesResponses !== true || answer.type === "watch") {
      await respond(ctx, answer, representation, context);
    } else {
      const { method, path } = info;
      const attributes = { "audit-id": ctx.state.auditId, method, url: path, mediaType: representation.format };
      await inSpan("SerializeObject", attributes, async () => {
        await respond(ctx, answer, representation, context);
      });
    }
  };
}

/** Subresources that have a Table. */
const SUBRESOURCES_WITH_TABLE = new Set(["status", "scale"]);

/** Whether the route has a Table. Virtual kinds that cannot be read have none. */
function hasTable({ entry, subresource }: Route): boolean {
  if (subresource?.name === "status" && entry.descriptor.scheme !== undefined) return false;
  if (subresource !== undefined) return SUBRESOURCES_WITH_TABLE.has(subresource.name);
  return !entry.descriptor.virtual || entry.descriptor.verbs.includes("get");
}

function negotiationRules(route: Route, listsByWatching: boolean): NegotiationRules {
  const { verb } = route;
  const tables = hasTable(route) && !(verb === "watch" && listsByWatching);
  return {
    watch: verb === "watch" || verb === "list",
    transforms: tables ? true : "metadata",
    textOnly: route.entry.descriptor.custom !== undefined,
    plain: route.subresource?.name === "log",
  };
}

/** Whether the route is a connection: its target chooses the media type of the response. */
function isConnection({ subresource }: Route): boolean {
  return subresource?.connect !== undefined;
}

/** Whether a watch requests the initial list as events, followed by a bookmark: it sends objects and no Table. */
function asksForInitialEvents(query: RequestQuery): boolean {
  return ["sendInitialEvents", "allowWatchBookmarks"].every((name) => booleanParameter(query, name));
}

function representationFor(
  ctx: AppContext,
  route: Route,
  rules: NegotiationRules,
  context: DispatchContext,
): Representation {
  if (isConnection(route)) return JSON_PLAIN;
  const representation = negotiate(ctx.req.headers.accept, context.types, rules);
  const pretty = isPretty(ctx, representation.pretty);
  return pretty === representation.pretty ? representation : { ...representation, pretty };
}

/** Rejects a watch in YAML, which cannot be streamed. Like kube-apiserver, does so after the watch has been opened. */
function refuseStream({ watch }: WatchAnswer, { types }: DispatchContext): never {
  if (!(watch instanceof StatusError)) watch.close();
  const streams = types.formats.filter((format) => format !== "yaml");
  throw mediaTypesAccepted(streams.map((format) => `${types.nameOf[format]};stream=watch`));
}

/** Checks Content-Type before Accept. Without a body, an unsupported Content-Type is reported as an unacceptable response type. */
function checkMediaTypes(ctx: AppContext, route: Route, rules: NegotiationRules, { types }: DispatchContext): void {
  const length = ctx.req.headers["content-length"];
  let available = acceptable(types, rules);
  try {
    if (route.verb === "patch") patchKindOf(contentTypeOf(ctx), types.formats.includes("cbor"));
  } catch (error) {
    if (Number(length ?? 0) > 0) throw error;
    available = [];
  }
  if (available.length > 0 && isAccepted(ctx.req.headers.accept, types, rules)) return;
  throw length === undefined && METHODS_WITH_BODY.has(ctx.state.info.method)
    ? failure(
        415,
        "UnsupportedMediaType",
        `415: Unsupported Media Type\n\nAvailable representations: ${available.join(", ")}`,
        {},
      )
    : notAcceptable(available);
}

/** Far more than usual. A body can cause one warning for each of its fields. */
const MOST_WARNINGS = 5000;
const METHODS_WITH_BODY = new Set(["POST", "PUT", "PATCH"]);

/**
 * Checks the media type of a patch, then whether there is a name. Strategic merge patches are rejected: custom kinds do not declare how
 * their lists merge.
 */
function checkCustom(
  ctx: AppContext,
  { named }: ResourceRequestInfo,
  { verb }: Route,
  { types }: DispatchContext,
): void {
  if (verb === "patch") {
    const accepted = CUSTOM_PATCHES.filter((name) => !name.endsWith("+cbor") || types.formats.includes("cbor"));
    if (!accepted.includes(contentTypeOf(ctx))) throw unsupportedMediaType(accepted);
  }
  if (!named && (verb === "update" || verb === "patch")) throw badRequest("name must be provided");
}

const CUSTOM_PATCHES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/apply-patch+yaml",
  "application/apply-patch+cbor",
];

function contentTypeOf(ctx: AppContext): string {
  return (ctx.req.headers["content-type"] ?? "").split(";", 1)[0] as string;
}

function apiRequest(
  ctx: AppContext,
  info: ResourceRequestInfo,
  route: Route,
  resource: ApiRequest["resource"],
  query: RequestQuery,
  context: DispatchContext,
): ApiRequest {
  const { state, req } = ctx;
  let body: Promise<Buffer> | undefined;
  const readCounted = async (): Promise<Buffer> => {
    const bytes = await receiveBody(ctx, context.arriving);
    state.receivedBytes = bytes.length;
    if (bytes.length >= LARGE_YAML && contentTypeOf(ctx).endsWith("yaml")) await parseLargeYaml(bytes);
    return bytes;
  };
  const acceptedFormat = () => {
    const format = formatOfBody(req.headers["content-type"], context.types);
    if (!context.types.formats.includes(format)) throw unsupportedMediaType(context.types.names);
    return format;
  };
  return {
    info: route.entry.descriptor.namespaced ? info : { ...info, namespace: "" },
    resource,
    subresource: route.subresource,
    query,
    user: state.user,
    userAgent: headerText(req.headers["user-agent"]),
    bodyFormat: () => {
      const format = acceptedFormat();
      if (format === "protobuf" && resource.descriptor.custom !== undefined && route.subresource?.scale === undefined) {
        throw unsupportedMediaType(context.types.names.filter((name) => name !== context.types.nameOf.protobuf));
      }
      return format;
    },
    checkContentType: acceptedFormat,
    contentType: contentTypeOf(ctx),
    body: () => (body ??= readCounted()),
    bodySize: () => state.receivedBytes ?? 0,
    warn: (message) => {
      if (state.warnings.size < MOST_WARNINGS) state.warnings.add(message);
    },
    annotate: (key, value) => state.trail?.annotate(key, value),
    waited: (milliseconds, part) => {
      state.waitedMs += milliseconds;
      if (part !== undefined) state.trail?.spent(part, milliseconds);
    },
    isOver: () => state.terminated,
    trail: state.trail,
  };
}
