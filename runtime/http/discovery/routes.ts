import { createHash } from "node:crypto";
import type { RemoteEntries } from "../../aggregation/remote-discovery.ts";
import type { ApiObject } from "../../contract/api-object.ts";
import type { TypeRef } from "../../contract/type-table.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../encoding/protobuf/envelope.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import type { SurfaceGroup } from "../../kinds/resource-entry.ts";
import { inTurns } from "../../lib/in-turns.ts";
import { mediaTypesAccepted, methodNotAllowed, notServed, unknownPath } from "../../values/status-errors.ts";
import { isPretty } from "../negotiate/is-pretty.ts";
import type { MediaFormat } from "../negotiate/media-types.ts";
import {
  checkAccepted,
  clauseNames,
  JSON_PLAIN,
  negotiate,
  negotiateClauses,
  parseAccept,
  type Representation,
} from "../negotiate/negotiate.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import { type EncodingContext, encodeValue } from "../respond/encode-object.ts";
import { textNotFound } from "../respond/plain-text.ts";
import { sendBytes } from "../respond/send.ts";
import { sendPieces } from "../respond/send-pieces.ts";
import { aggregatedDiscovery, aggregatedJson, aggregatedMessage } from "./aggregated.ts";
import { coreVersions, groupDocument, groupList, resourceList } from "./legacy.ts";

export interface DiscoveryContext extends EncodingContext {
  readonly surface: () => ApiSurface;
  /** All groups, including those of extension servers. */
  readonly groups: () => readonly SurfaceGroup[];
  readonly remote: RemoteEntries;
  readonly serverAddress: () => string;
  /** Whether the beta version of aggregated discovery is served. */
  readonly speaksBeta: boolean;
  /** Whether resources have a hash of their stored version (feature gate `StorageVersionHash`). */
  readonly hashesVersions: boolean;
}

const RULES = { watch: false, transforms: false };

/** Serves `/api`, `/apis` and paths below them that name no resource. Returns false for any other path. */
export async function answerDiscovery(ctx: AppContext, path: string, context: DiscoveryContext): Promise<boolean> {
  const parts = path.split("/").slice(1);
  while (parts.length > 1 && parts.at(-1) === "") {
    parts.pop();
  }
  const [root, second, third] = parts;
  if (root !== "api" && root !== "apis") {
    return false;
  }
  const surface = context.surface();
  const slashes = path.length - parts.join("/").length - 1;
  if (parts.length === 1) {
    if (root === "apis" && slashes > 1) {
      await textNotFound(ctx);
      return true;
    }
    await answerRoot(ctx, root === "api", context);
    return true;
  }
  if (root === "api") {
    if (parts.length > 2 || second === undefined || !surface.hasVersion("", second)) {
      throw unknownPath();
    }
    await answerVersion(ctx, "", second, true, context);
    return true;
  }
  const reason = parts.length === 3 ? surface.whyNotServed(second ?? "", third ?? "") : undefined;
  if (reason !== undefined && !surface.hasVersion(second ?? "", third ?? ""))
    throw notServed({ group: second ?? "", resource: "" }, reason);
  const group = context.groups().find(({ name }) => name === second);
  if (group === undefined || second === "") {
    await textNotFound(ctx);
    return true;
  }
  if (third === undefined) {
    if (slashes > 1 && !surface.hasGroup(group.name)) {
      await textNotFound(ctx);
      return true;
    }
    const byRoute = slashes > 1 && !group.custom;
    await send(ctx, groupDocument(group), "meta/v1.APIGroup", represent(ctx, byRoute, context), context);
    return true;
  }
  if (!surface.hasVersion(group.name, third) || parts.length > 3) {
    if (surface.hasGroup(group.name) && !group.custom) {
      throw unknownPath();
    }
    await textNotFound(ctx);
    return true;
  }
  await answerVersion(ctx, group.name, third, group.custom !== true, context);
  return true;
}

/** Serves `/api` and `/apis`: the aggregated document if the client requests it, otherwise the legacy one. */
async function answerRoot(ctx: AppContext, core: boolean, context: DiscoveryContext): Promise<void> {
  const accept = ctx.req.headers.accept ?? "";
  if (core && ctx.state.info.method !== "GET") {
    throw methodNotAllowed();
  }
  for (const clause of accept === "" ? [] : parseAccept(accept)) {
    const { parameters } = clause;
    const format = context.types.formats.find((candidate) => clauseNames(clause, context.types.nameOf[candidate]));
    if (format === undefined) {
      continue;
    }
    if (!parameters.has("as")) {
      break;
    }
    const version = parameters.get("v");
    const known = version === "v2" || (version === "v2beta1" && context.speaksBeta);
    if (
      parameters.get("as") === "APIGroupDiscoveryList" &&
      parameters.get("g") === context.types.discoveryGroup &&
      known
    ) {
      await sendAggregated(ctx, core, version, format, context);
      return;
    }
  }
  const representation = represent(ctx, core, context);
  const document = core ? coreVersions(context.surface(), context.serverAddress()) : groupList(context.groups());
  await send(ctx, document, core ? "meta/v1.APIVersions" : "meta/v1.APIGroupList", representation, context);
}

/** Sends groups, versions and resources in one document, which is made in several turns of the event loop. */
async function sendAggregated(
  ctx: AppContext,
  core: boolean,
  version: "v2" | "v2beta1",
  format: MediaFormat,
  context: DiscoveryContext,
): Promise<void> {
  const { discoveryGroup } = context.types;
  const apiVersion = `${discoveryGroup}/${version}`;
  const sources = { surface: context.surface(), remote: context.remote };
  const groups = context.groups();
  const schema = context.schemas.of<ApiObject>(`apidiscovery/${version}.APIGroupDiscoveryList`);
  const pretty = isPretty(ctx, false);
  const { trail } = ctx.state;
  if (trail?.keepsAnswers) trail.answers(stringifyJson(aggregatedDiscovery(groups, sources, core, apiVersion)));
  let pieces: readonly Uint8Array[];
  if (format === "json" && !pretty) {
    pieces = await inTurns(aggregatedJson(groups, sources, core, apiVersion));
  } else if (format === "protobuf") {
    const encode = (list: Record<string, unknown>) => schema.encodeProtobuf(list as ApiObject);
    const raw = Buffer.concat(await inTurns(aggregatedMessage(groups, sources, core, encode)));
    pieces = [encodeEnvelope({ apiVersion, kind: "APIGroupDiscoveryList", raw })];
  } else {
    const document = aggregatedDiscovery(groups, sources, core, apiVersion) as unknown as ApiObject;
    pieces = [encodeValue(document, schema, format, pretty)];
  }
  const hash = createHash("sha512");
  for (const piece of pieces) hash.update(piece);
  const tag = `"${hash.digest("hex").toUpperCase()}"`;
  const headers = { ETag: tag, Vary: "Accept", "Cache-Control": "public" };
  if (ctx.req.headers["if-none-match"] === tag) {
    await sendBytes(ctx, Buffer.alloc(0), { status: 304, contentType: "", compress: false, headers });
    return;
  }
  const contentType = `${context.types.nameOf[format]};g=${discoveryGroup};v=${version};as=APIGroupDiscoveryList`;
  await sendPieces(ctx, pieces, { status: 200, contentType, compress: true, headers });
}

/**
 * Chooses the representation of a document. `byRoute`: in Kubernetes, a route serves the document; it serves only GET and checks the Accept
 * header twice. Otherwise a handler without a route serves it, for every method.
 */
function represent(ctx: AppContext, byRoute: boolean, { types }: DiscoveryContext): Representation {
  const accept = ctx.req.headers.accept ?? "";
  if (byRoute) {
    if (ctx.state.info.method !== "GET") throw methodNotAllowed();
    checkAccepted(accept, types, RULES);
    return negotiate(accept, types, RULES);
  }
  const found = accept === "" ? JSON_PLAIN : negotiateClauses(accept, types, RULES);
  if (found === undefined) throw mediaTypesAccepted(types.names);
  return found;
}

async function answerVersion(
  ctx: AppContext,
  group: string,
  version: string,
  byRoute: boolean,
  context: DiscoveryContext,
): Promise<void> {
  const representation = represent(ctx, byRoute, context);
  const document = resourceList(context.surface(), group, version, context.hashesVersions);
  await send(ctx, document, "meta/v1.APIResourceList", representation, context);
}

async function send(
  ctx: AppContext,
  document: object,
  type: TypeRef,
  { format, pretty: wantsPretty }: Representation,
  context: DiscoveryContext,
): Promise<void> {
  const pretty = isPretty(ctx, wantsPretty);
  const value = document as ApiObject;
  if (ctx.state.trail?.keepsAnswers) ctx.state.trail.answers(stringifyJson(value));
  const bytes = encodeValue(value, context.schemas.of<ApiObject>(type), format, pretty);
  await sendBytes(ctx, bytes, { status: 200, contentType: context.types.nameOf[format], compress: true });
}
