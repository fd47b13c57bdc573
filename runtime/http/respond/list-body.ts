import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { inTurns, LARGE_BYTES } from "../../lib/in-turns.ts";
import { windowsOf } from "../../watch/read-ahead.ts";
import type { ListResult } from "../../watch/requests.ts";
import type { Representation } from "../negotiate/negotiate.ts";
import { type ChunkPool, LARGE_BODY_BYTES } from "./chunk-pool.ts";
import { jsonOf } from "./encode-object.ts";
import { itemsMember, listFrame, metaApiVersion, type ShownList, saysNull } from "./list-head.ts";
import { ListItems } from "./list-items.ts";
import { joinProtobuf } from "./list-protobuf.ts";
import { MetadataJson } from "./metadata-json.ts";
import type { Pacer } from "./pacer.ts";
import { RowJson } from "./row-json.ts";
import { RowObject } from "./row-object.ts";
import type { Body } from "./send-body.ts";

const OPEN_BRACE = "{";
const NEXT_BRACE = ",{";
const END = "]}\n";
const NEXT_MEMBER = "],";
/** While one chunk is being sent, the next one is filled. */
const CHUNKS_AHEAD = 2;

/**
 * Estimates the memory that a list takes until it is sent, without the cached objects, which are shared. Computed before anything is
 * encoded. JSON and CBOR are written chunk by chunk, the other formats are encoded as a whole.
 */
export function bytesHeld(list: ListResult, { format }: Representation, pool: ChunkPool): number {
  const isStreamed = format === "json" || format === "cbor";
  const enough = isStreamed ? LARGE_BODY_BYTES : Number.POSITIVE_INFINITY;
  let bytes = 0;
  for (const { size } of list.items) {
    bytes += size;
    if (bytes > enough) break;
  }
  return isStreamed ? Math.min(bytes, CHUNKS_AHEAD * pool.chunksFor(bytes).chunkBytes) : bytes;
}

/** Encodes a list in the negotiated representation. Work that is done before sending is paced by `pacer`. */
export async function listBody(given: ShownList, pacer: Pacer): Promise<Body> {
  const { transform, format, pretty } = given.representation;
  const shown = transform?.kind === "Table" ? inOrderOfRows(given) : given;
  if (transform === undefined && format === "json" && !pretty) return joinJson(shown);
  if (format === "protobuf" && transform?.version !== "v1beta1") return joinProtobuf(shown, pacer);
  if (transform !== undefined && format === "json" && !pretty && !saysNull(shown)) return transformJson(shown);
  const items = new ListItems(shown);
  const isEmpty = shown.list.items.length === 0;
  if (!isEmpty && format === "cbor") return items.cbor();
  if (!isEmpty && format === "json") return items.prettyJson();
  if (format === "yaml" && items.isLarge) return wholeBody(await inTurns(items.yamlSteps()));
  return wholeBody(items.whole());
}

/** The list in the order in which the kind shows its rows. Sorts within a page only. */
function inOrderOfRows(shown: ShownList): ShownList {
  const { list, resource } = shown;
  const rank = resource.stored.hooks.table?.rank;
  if (rank === undefined) return shown;
  const ranked = list.items.map((item) => ({ item, rank: RowObject.ofCells(resource, item).read(rank) }));
  return { ...shown, list: { ...list, items: ranked.sort((a, b) => a.rank - b.rank).map(({ item }) => item) } };
}

/** A body whose bytes are already available. */
function wholeBody(bytes: Buffer): Body {
  return {
    size: bytes.length,
    *write(out) {
      out.bytes(bytes);
      yield;
    },
  };
}

/**
 * Joins the cached JSON of the items. Items of a list do not repeat kind and apiVersion, which come first in their JSON; those of custom
 * kinds do.
 */
function joinJson(shown: ShownList): Body {
  const { list, resource } = shown;
  const { descriptor, apiVersion } = resource;
  const { before, after } = listFrame(shown);
  const head = `${stringifyJson(before).slice(0, -1)},"items":[`;
  const rest = stringifyJson(after).slice(1);
  const end = rest === "}" ? END : `${NEXT_MEMBER}${rest}\n`;
  const skipped =
    descriptor.custom !== undefined
      ? OPEN_BRACE.length
      : Buffer.byteLength(`{"kind":${JSON.stringify(descriptor.kind)},"apiVersion":${JSON.stringify(apiVersion)},`);
  const { items } = list;
  let size = head.length + end.length;
  for (const item of items) {
    size += item.size;
  }
  return {
    size,
    *write(out) {
      out.text(head);
      let opening = OPEN_BRACE;
      for (const { objects, ready } of windowsOf(items)) {
        if (ready !== undefined) yield ready;
        for (const item of objects) {
          out.text(opening);
          out.bytes(resource.isStoredVersion ? item.jsonOnce : jsonOf(item, resource), skipped);
          opening = NEXT_BRACE;
          yield;
        }
      }
      out.text(end);
    },
  };
}

function transformJson(shown: ShownList): Body {
  const { list, resource, representation, include, context } = shown;
  const transform = representation.transform?.kind;
  const field = itemsMember(representation);
  const metadata = new MetadataJson(resource, metaApiVersion(representation, context));
  const rows = new RowJson(resource, include, metadata, context.now());
  const head = stringifyJson(listFrame(shown).before);
  return {
    size: list.items.length * 1024,
    *write(out) {
      out.text(`${head.slice(0, -1)},"${field}":[`);
      let separator = "";
      for (const { objects, ready } of windowsOf(list.items)) {
        if (ready !== undefined) yield ready;
        for (const item of objects) {
          out.text(separator);
          if (transform !== "Table") metadata.write(item, out);
          else if (item.size < LARGE_BYTES) rows.write(item, out);
          else yield* rows.writeSteps(item, out);
          separator = ",";
          yield;
        }
      }
      out.text(END);
    },
  };
}
