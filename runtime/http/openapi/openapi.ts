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

/**
 * Serves `/openapi/v2`, `/openapi/v3` and the documents below it. Documents are made when they are asked for, in turns of the event
 * loop, from parts that change only with the kinds that they describe.
 */
export function createOpenApi(context: OpenApiContext) {
  const v2 = new OpenApiV2(context);
  const v3 = new OpenApiV3(context);
  const modified = new Date().toUTCString();
  const { remote } = context;
  /** With the surface and the generation that it describes. */
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

  const answerDocument = async (
    ctx: AppContext,
    path: string,
    document: PublishedDocument | undefined,
    version: "v2" | "v3",
  ): Promise<void> => {
    if (document === undefined) {
      await sendBytes(ctx, Buffer.alloc(0), { status: 404, contentType: "", compress: false });
      return;
    }
    const type = chooseType(ctx.req.headers.accept, version);
    if (type === undefined) {
      await sendBytes(ctx, Buffer.alloc(0), { status: 406, contentType: "", compress: false });
      return;
    }
    const contentType = type === "json" ? "application/json" : version === "v2" ? V2_RESPONSE : V3_RESPONSE;
    const headers = documentHeaders(ctx, path, document, version, contentType);
    if (headers === "moved") {
      return;
    }
    if (namesTag(ctx.req.headers["if-none-match"], `"${document.hash}"`)) {
      await sendBytes(ctx, Buffer.alloc(0), { status: 304, contentType: "", compress: false, headers });
      return;
    }
    const pieces = await (type === "json" ? document.json() : document.protobuf());
    await sendPieces(ctx, pieces, { status: 200, contentType, compress: true, headers });
  };

  /**
   * The response headers of a document. A v3 request with `?hash=` gets immutable caching headers if the hash is current, else a redirect
   * to the URL with the current hash, which this function sends itself ("moved").
   */
  const documentHeaders = (
    ctx: AppContext,
    path: string,
    document: PublishedDocument,
    version: "v2" | "v3",
    contentType: string,
  ): Record<string, string> | "moved" => {
    const headers: Record<string, string> = {
      ETag: `"${document.hash}"`,
      "Last-Modified": modified,
      Vary: version === "v2" ? "Accept-Encoding, Accept" : "Accept",
    };
    const asked = ctx.state.info.query.get("hash") ?? "";
    if (version === "v3" && asked !== "") {
      if (asked !== document.hash) {
        ctx.res.setHeader("Location", `/openapi/${path}?hash=${document.hash}`);
        void sendBytes(ctx, Buffer.alloc(0), { status: 301, contentType, compress: false });
        return "moved";
      }
      headers["Cache-Control"] = "public, immutable";
      headers.Expires = new Date(Date.now() + 365 * 24 * 3600 * 1000).toUTCString();
    }
    return headers;
  };

  return async (ctx: AppContext, path: string): Promise<boolean> => {
    if (path === "/openapi/v2") {
      await answerDocument(ctx, "v2", await v2.load(), "v2");
    } else if (path === "/openapi/v3") {
      await answerIndex(ctx);
    } else if (path.startsWith("/openapi/v3/")) {
      const document = await v3.load(path.slice("/openapi/v3/".length));
      await answerDocument(ctx, path.slice("/openapi/".length), document, "v3");
    } else if (path.startsWith("/openapi")) {
      await textNotFound(ctx);
    } else {
      return false;
    }
    return true;
  };
}

/** Whether an If-None-Match header names an entity tag. Proxies that compress responses make tags weak (RFC 9110, section 13.1.2). */
function namesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const names = header.split(",").map((one) => one.trim());
  return header.trim() === "*" || names.some((name) => name === tag || name === `W/${tag}`);
}

function chooseType(accept: string | undefined, version: "v2" | "v3"): "json" | "protobuf" | undefined {
  if (accept === undefined || accept === "") {
    return "json";
  }
  const protobuf = version === "v2" ? V2_PROTOBUF : V3_PROTOBUF;
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
