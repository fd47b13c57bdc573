import type { ApiObject } from "../../contract/api-object.ts";
import { cborAround, encodeCbor, encodeCborSteps } from "../../encoding/cbor/encode-cbor.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import { encodeEnvelope } from "../../encoding/protobuf/envelope.ts";
import { stringifyYaml, stringifyYamlSteps } from "../../encoding/yaml/stringify-yaml.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import { LARGE_BYTES, type Steps } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { memoOf } from "../../watch/memo-budget.ts";
import { asBuffer, encodeJson, servedOnce, servedSteps } from "./encode-object.ts";
import { itemsMember, listFrame, metaApiVersion, type ShownList, saysNull } from "./list-head.ts";
import { RowObject } from "./row-object.ts";
import type { Body } from "./send-body.ts";
import { partialMetadata, tableRow } from "./table.ts";

/** Estimated size of indented JSON, relative to the stored JSON. */
const PRETTY_COST = 2;
/** Indentation of each line of an item in indented JSON. */
const INDENT = "    ";

/** A list in the formats that are encoded from parsed items. */
export class ListItems {
  readonly #shown: ShownList;

  constructor(shown: ShownList) {
    this.#shown = shown;
  }

  /** Writes the list item by item, from cached bytes. Rows of Tables are encoded each time, because they show ages. */
  cbor(): Body {
    const { list, resource, representation } = this.#shown;
    const { items } = list;
    const { before, after } = listFrame(this.#shown);
    const { head, tail } = cborAround({ ...before, ...after }, itemsMember(representation), items.length);
    const { transform } = representation;
    const name = `${resource.apiVersion} cbor ${transform?.kind ?? ""} ${transform?.version ?? ""}`;
    const encode = (cached: CachedObject) => encodeCbor(this.#item(cached), { bare: true });
    const keeps = transform?.kind !== "Table";
    const inSteps = (cached: CachedObject) => this.#cborSteps(cached, name);
    return {
      size: this.#storedBytes(),
      *write(out) {
        out.bytes(head);
        for (const item of items) {
          if (transform === undefined && item.json.length >= LARGE_BYTES) yield* inSteps(item);
          out.bytes(asBuffer(keeps ? item.encoding(name, encode) : encode(item)));
          yield;
        }
        out.bytes(tail);
      },
    };
  }

  /** Encodes a large item in steps and caches the result for `encoding`. */
  *#cborSteps(item: CachedObject, name: string): Steps<void> {
    if (memoOf(item, name) !== undefined) return;
    const { resource } = this.#shown;
    const bytes = yield* encodeCborSteps(bareItem(yield* servedSteps(item, resource), resource), { bare: true });
    item.encoding(name, () => bytes);
  }

  /** Writes the list item by item. The list must not be empty. */
  prettyJson(): Body {
    const { items } = this.#shown.list;
    const { before, after } = listFrame(this.#shown);
    const head = stringifyJson(before, { pretty: true }).slice(0, -"\n}".length);
    const rest = Object.keys(after).length === 0 ? "\n}" : `,${stringifyJson(after, { pretty: true }).slice(1)}`;
    const member = itemsMember(this.#shown.representation);
    const textOf = (item: CachedObject) => stringifyJson(this.#item(item), { pretty: true });
    return {
      size: this.#storedBytes() * PRETTY_COST,
      *write(out) {
        out.text(`${head},\n  "${member}": [`);
        let separator = "\n";
        for (const item of items) {
          out.text(`${separator}${INDENT}${textOf(item).replaceAll("\n", `\n${INDENT}`)}`);
          separator = ",\n";
          yield;
        }
        out.text(`\n  ]${rest}`);
      },
    };
  }

  /** Encodes the whole list in one step. */
  whole(): Buffer {
    const { list, representation, context } = this.#shown;
    const { before, after } = listFrame(this.#shown);
    const items = saysNull(this.#shown) ? null : list.items.map((item) => this.#item(item));
    const value: Record<string, unknown> = { ...before, [itemsMember(representation)]: items, ...after };
    switch (representation.format) {
      case "yaml":
        return Buffer.from(stringifyYaml(value));
      case "cbor":
        return encodeCbor(value);
      case "json":
        return encodeJson(value, representation.pretty);
      case "protobuf": {
        // The two versions number the fields of the list differently.
        const version = representation.transform?.version ?? "v1";
        const { kind, apiVersion } = value;
        const raw = context.schemas.of(`meta/${version}.PartialObjectMetadataList`).encodeProtobuf(value);
        return encodeEnvelope({ apiVersion: String(apiVersion), kind: String(kind), raw });
      }
    }
  }

  /** Prints a long list as YAML, in steps between which the caller may pause. */
  *yamlSteps(): Steps<Buffer> {
    const { list, resource, representation } = this.#shown;
    const items: unknown[] = [];
    const isWhole = representation.transform === undefined;
    for (const item of list.items) {
      items.push(isWhole ? bareItem(yield* servedSteps(item, resource), resource) : this.#item(item));
      yield;
    }
    const { before, after } = listFrame(this.#shown);
    const text = yield* stringifyYamlSteps({ ...before, [itemsMember(representation)]: items, ...after });
    return Buffer.from(text);
  }

  /** Whether the list is so large that it must be printed in several turns of the event loop. */
  get isLarge(): boolean {
    return this.#storedBytes() >= LARGE_BYTES;
  }

  #item(item: CachedObject): unknown {
    const { resource, representation, include, context } = this.#shown;
    const transform = representation.transform?.kind;
    if (transform === undefined) return bareItem(servedOnce(item, resource), resource);
    const apiVersion = metaApiVersion(representation, context);
    if (transform !== "Table") return partialMetadata(servedOnce(item, resource), apiVersion, resource);
    const row = RowObject.ofCached(resource, item);
    return tableRow(resource, row, { metaApiVersion: apiVersion, include, now: context.now });
  }

  #storedBytes(): number {
    let bytes = 0;
    for (const { size } of this.#shown.list.items) bytes += size;
    return bytes;
  }
}

/** Removes kind and apiVersion, which items of a list do not repeat; those of custom kinds do. */
function bareItem(served: ApiObject, { descriptor }: ServedResource): ApiObject {
  if (descriptor.custom !== undefined) return served;
  const { kind: _kind, apiVersion: _apiVersion, ...rest } = served;
  return rest as ApiObject;
}
