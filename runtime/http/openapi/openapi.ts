import type { ApiSurface } from "../../kinds/api-surface.ts";
import { restAfter } from "../../lib/in-turns.ts";
import { parseAccept } from "../negotiate/negotiate.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import { sendPlainText, textNotFound } from "../respond/plain-text.ts";
import { sendBytes } from "../respond/send.ts";
import { sendPieces } from "../respond/send-pieces.ts";
import type { OpenApiContext } from "./openapi-context.ts";
import { OpenApiV2 } from "./openapi-v2.ts";
import { OpenApiV3 } from "./openapi-v3.ts";
import type { PublishedDocument } from "./published-document.ts";

const V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const V3_PROTOBUF = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
const V2_RESPONSE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const V3_RESPONSE = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";
const YEAR_MS = 365 * 24 * 3600 * 1000;

/**
 * Serves `/openapi/v2`, `/openapi/v3` and the documents below it. Documents are made on request, in several turns of the event loop, from
 * parts that change only with the kinds that they describe.
 */
export function createOpenApi(context: OpenApiContext) {
  const v2 = new OpenApiV2(context);
  const v3 = new OpenApiV3(context);
  const modified = new Date().toUTCString();
  const { remote } = context;
  /** The index, with the surface and the generation that it describes. */
  let index: { readonly surface: ApiSurface; readonly generation: number; readonly text: Promise<string> } | undefined;

  const makeIndex = async (): Promise<string> => {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    let began = performance.now();
    for (const path of v3.possiblePaths()) {
      const resting = restAfter(began);
      if (resting !== undefined) {
        await resting;
        began = performance.now();
      }
      const document = await v3.load(path);
      if (document !== undefined) paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` };
    }
    for (const [path, serverRelativeURL] of remote.addresses()) paths[path] = { serverRelativeURL };
    const sorted = remote.isEmpty
      ? paths
      : Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
    return JSON.stringify({ paths: sorted });
  };

  const answerIndex = async (ctx: AppContext): Promise<void> => {
    const [surface, { generation }] = [context.surface(), remote];
    if (index?.surface !== surface || index.generation !== generation) {
      const made = { surface, generation, text: makeIndex() };
      index = made;
      made.text.catch(() => {
        if (index === made) index = undefined;
      });
    }
    await sendPlainText(ctx, await index.text);
  };

  return async (ctx: AppContext, path: string): Promise<boolean> => {
    if (path === "/openapi/v2") {
      await answerV2(ctx, await v2.load(), modified);
    } else if (path === "/openapi/v3") {
      await answerIndex(ctx);
    } else if (path.startsWith("/openapi/v3/")) {
      await answerV3(ctx, path, await v3.load(path.slice("/openapi/v3/".length)), modified);
    } else if (path.startsWith("/openapi")) {
      await textNotFound(ctx);
    } else {
      return false;
    }
    return true;
  };
}

async function answerV2(ctx: AppContext, document: PublishedDocument, modified: string): Promise<void> {
  const type = chooseType(ctx.req.headers.accept, V2_PROTOBUF);
  if (type === undefined) return sendEmpty(ctx, 406);
  await sendDocument(ctx, document, type, {
    contentType: type === "json" ? "application/json" : V2_RESPONSE,
    headers: { ETag: `"${document.hash}"`, "Last-Modified": modified, Vary: "Accept-Encoding, Accept" },
  });
}

/**
 * If the request has `?hash=` with the current hash, the response has headers for immutable caching. With another hash, it is a redirect to
 * the URL with the current hash.
 */
async function answerV3(
  ctx: AppContext,
  path: string,
  document: PublishedDocument | undefined,
  modified: string,
): Promise<void> {
  if (document === undefined) return sendEmpty(ctx, 404);
  const type = chooseType(ctx.req.headers.accept, V3_PROTOBUF);
  if (type === undefined) return sendEmpty(ctx, 406);
  const contentType = type === "json" ? "application/json" : V3_RESPONSE;
  const { hash } = document;
  const asked = ctx.state.info.query.get("hash") ?? "";
  if (asked !== "" && asked !== hash) {
    await sendEmpty(ctx, 301, { Location: `${path}?hash=${hash}` }, contentType);
    return;
  }
  const headers = { ETag: `"${hash}"`, "Last-Modified": modified, Vary: "Accept" };
  await sendDocument(ctx, document, type, {
    contentType,
    headers: asked === "" ? headers : { ...headers, ...forever() },
  });
}

/** Caching headers of a response that never changes. */
function forever(): Record<string, string> {
  return { "Cache-Control": "public, immutable", Expires: new Date(Date.now() + YEAR_MS).toUTCString() };
}

async function sendDocument(
  ctx: AppContext,
  document: PublishedDocument,
  type: "json" | "protobuf",
  options: { readonly contentType: string; readonly headers: Readonly<Record<string, string>> },
): Promise<void> {
  if (namesTag(ctx.req.headers["if-none-match"], `"${document.hash}"`)) return sendEmpty(ctx, 304, options.headers);
  const pieces = await (type === "json" ? document.json() : document.protobuf());
  await sendPieces(ctx, pieces, { status: 200, compress: true, ...options });
}

function sendEmpty(
  ctx: AppContext,
  status: number,
  headers: Readonly<Record<string, string>> = {},
  contentType = "",
): Promise<void> {
  return sendBytes(ctx, Buffer.alloc(0), { status, contentType, compress: false, headers });
}

/** Whether an If-None-Match header contains an entity tag. Proxies that compress responses make tags weak (RFC 9110, section 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const names = header.split(",").map((one) => one.trim());
  return header.trim() === "*" || names.some((name) => name === tag || name === `W/${tag}`);
}

/** The form of a document that a client accepts; `protobuf` is the media type of the protobuf form. Undefined if the client accepts neither. */
function chooseType(accept: string | undefined, protobuf: string): "json" | "protobuf" | undefined {
  if (accept === undefined || accept === "") {
    return "json";
  }
  for (const { type, subtype } of parseAccept(accept)) {
    if (type === "*" || (type === "application" && (subtype === "*" || subtype === "json"))) {
      return "json";
    }
    const name = `${type}/${subtype}`;
    if (name === protobuf || name === protobuf.replace("@", ".")) {
      return "protobuf";
    }
  }
  return undefined;
}
