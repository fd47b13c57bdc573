import { setImmediate as nextTurn } from "node:timers/promises";
import type { OpenApiParts } from "../../aggregation/openapi-references.ts";
import type { ApiSurface } from "../../kinds/api-surface.ts";
import { apiVersionOf } from "../../kinds/served-resource.ts";
import { inTurns, type Steps } from "../../lib/in-turns.ts";
import { parseAccept } from "../negotiate/negotiate.ts";
import type { AppContext } from "../pipeline/app-state.ts";
import { sendPlainText, textNotFound } from "../respond/plain-text.ts";
import { sendBytes } from "../respond/send.ts";
import { type PrintedDocument, printOpenApi } from "./print-openapi.ts";
import type { OpenApiJob } from "./protobuf/encode-openapi.ts";
import { selectOpenApi } from "./select-openapi.ts";

/** The published documents by path: `v2`, `v3/api/v1`, `v3/apis/apps/v1`. */
export interface OpenApiDocuments {
  build(path: string): Steps<OpenApiParts | undefined>;
  /** Paths below `v3/` that are published besides those of the API groups. */
  readonly otherPaths: readonly string[];
}

/** OpenAPI documents of extension servers. */
export interface RemoteDocuments {
  readonly isEmpty: boolean;
  /** Grows with every change. */
  readonly generation: number;
  /** URLs of documents by their paths below `/openapi/v3/`; requests for these are proxied before they get here. */
  addresses(): ReadonlyMap<string, string>;
  /** Paths below `/openapi/v3/` of documents that this server makes for extension servers without any; `made` returns one. */
  madePaths(): readonly string[];
  made(path: string): object | undefined;
  /** The document of version 2, extended by those of the extension servers. */
  extend(document: OpenApiParts): OpenApiParts;
}

export interface OpenApiContext {
  readonly surface: () => ApiSurface;
  readonly documents: OpenApiDocuments;
  readonly remote: RemoteDocuments;
  /** The protobuf form of a document, `v2` or `v3`. */
  readonly encodeProtobuf: (job: OpenApiJob) => Promise<Uint8Array>;
}

const V2_PROTOBUF = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
const V3_PROTOBUF = "application/com.github.proto-openapi.spec.v3@v1.0+protobuf";
const V2_RESPONSE = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
const V3_RESPONSE = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";

interface Document extends PrintedDocument {
  readonly modified: string;
}

/** Serves `/openapi/v2`, `/openapi/v3` and the documents below it; each is built and hashed once, in turns of the event loop. */
export function createOpenApi(context: OpenApiContext) {
  let documents = new Map<string, Promise<Document | undefined>>();
  const messages = new WeakMap<Document, Promise<Uint8Array>>();
  const modified = new Date().toUTCString();

  const { remote } = context;
  let surface = context.surface();
  let generation = remote.generation;
  /** Documents describe what is served: they are made anew when that changes. */
  const refresh = (): void => {
    if (surface !== context.surface() || generation !== remote.generation) {
      surface = context.surface();
      generation = remote.generation;
      documents = new Map();
    }
  };

  const load = (path: string): Promise<Document | undefined> => {
    const known = documents.get(path);
    if (known !== undefined) return known;
    const loading = documents;
    const document = inTurns(build(path));
    loading.set(path, document);
    document.catch(() => loading.delete(path));
    return document;
  };

  function* build(path: string): Steps<Document | undefined> {
    const made = path.startsWith("v3/") ? remote.made(path.slice("v3/".length)) : undefined;
    const document = made ?? (yield* buildServed(path));
    return document && { ...(yield* printOpenApi(document)), modified };
  }

  function* buildServed(path: string): Steps<OpenApiParts | undefined> {
    const document = yield* context.documents.build(path);
    const selected = document && (yield* selectOpenApi(document, context.surface()));
    return selected && path === "v2" && !remote.isEmpty ? remote.extend(selected) : selected;
  }

  const message = (document: Document, version: "v2" | "v3"): Promise<Uint8Array> => {
    let bytes = messages.get(document);
    if (bytes === undefined) {
      bytes = context.encodeProtobuf({ json: document.json.toString("utf8"), version });
      messages.set(document, bytes);
    }
    return bytes;
  };

  /** Below `/openapi/v3/`; for some there may be no document. */
  const possiblePaths = (): string[] => {
    const paths = [...context.documents.otherPaths, ...remote.madePaths()];
    for (const group of context.surface().groups) {
      if (group.name !== "") {
        paths.push(`apis/${group.name}`);
      }
      for (const version of group.versions) {
        paths.push(`${group.name === "" ? "api" : "apis"}/${apiVersionOf({ group: group.name, version })}`);
      }
    }
    return [...new Set(paths)].sort();
  };

  const answerIndex = async (ctx: AppContext): Promise<void> => {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const path of possiblePaths()) {
      // Building all documents takes a while: other requests are served in between.
      if (!documents.has(`v3/${path}`)) await nextTurn();
      const document = await load(`v3/${path}`);
      if (document !== undefined) paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${document.hash}` };
    }
    for (const [path, serverRelativeURL] of remote.addresses()) paths[path] = { serverRelativeURL };
    const sorted = remote.isEmpty
      ? paths
      : Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
    await sendPlainText(ctx, JSON.stringify({ paths: sorted }));
  };

  const answerDocument = async (ctx: AppContext, path: string, version: "v2" | "v3"): Promise<void> => {
    const document = await load(path);
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
    const tag = `"${document.hash}"`;
    if (ctx.req.headers["if-none-match"] === tag) {
      await sendBytes(ctx, Buffer.alloc(0), { status: 304, contentType: "", compress: false, headers });
      return;
    }
    const bytes = type === "json" ? document.json : await message(document, version);
    await sendBytes(ctx, bytes, { status: 200, contentType, compress: true, headers });
  };

  /**
   * The response headers of a document. A v3 request with `?hash=` gets immutable caching headers if the hash is current, else a redirect
   * to the URL with the current hash, which this function sends itself ("moved").
   */
  const documentHeaders = (
    ctx: AppContext,
    path: string,
    document: Document,
    version: "v2" | "v3",
    contentType: string,
  ): Record<string, string> | "moved" => {
    const headers: Record<string, string> = {
      ETag: `"${document.hash}"`,
      "Last-Modified": document.modified,
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
    refresh();
    if (path === "/openapi/v2") {
      await answerDocument(ctx, "v2", "v2");
    } else if (path === "/openapi/v3") {
      await answerIndex(ctx);
    } else if (path.startsWith("/openapi/v3/")) {
      const known = possiblePaths().includes(path.slice("/openapi/v3/".length));
      await answerDocument(ctx, known ? path.slice("/openapi/".length) : "", "v3");
    } else if (path.startsWith("/openapi")) {
      await textNotFound(ctx);
    } else {
      return false;
    }
    return true;
  };
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
