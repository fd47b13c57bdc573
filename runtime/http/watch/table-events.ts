import type { ApiObject, ObjectMeta } from "../../contract/api-object.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { Steps } from "../../lib/in-turns.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { MetadataJson } from "../respond/metadata-json.ts";
import { RowJson } from "../respond/row-json.ts";
import { type IncludeObject, type TableShape, tableShape } from "../respond/table.ts";
import type { Pieces } from "./frame-log.ts";
import { jsonEvent, PieceWriter } from "./frame-pieces.ts";

/** Column definitions; null after the first Table of a watch. */
export type TableColumns = TableShape["columnDefinitions"] | null;

/** Events with one row each, as JSON, the only format of Tables in watches. They use the rows that lists make and cache. */
export class TableEvents {
  readonly #resource: ServedResource;
  readonly #metaApiVersion: string;
  readonly #include: IncludeObject;
  readonly #metadata: MetadataJson;
  readonly #now: () => Date;
  #columnsSent = false;

  constructor(resource: ServedResource, metaApiVersion: string, include: IncludeObject, now: () => Date) {
    this.#resource = resource;
    this.#metaApiVersion = metaApiVersion;
    this.#include = include;
    this.#metadata = new MetadataJson(resource, metaApiVersion);
    this.#now = now;
  }

  /** Whether the column definitions were sent: later Tables omit them. */
  get hasSentColumns(): boolean {
    return this.#columnsSent;
  }

  /** The column definitions for the next Table. Only the first call returns them. */
  takeColumns(): TableColumns {
    const columns = this.#columnsSent ? null : tableShape(this.#resource).columnDefinitions;
    this.#columnsSent = true;
    return columns;
  }

  event(type: string, object: CachedObject, columns: TableColumns): Pieces {
    const out = this.#begin(object, columns);
    this.#rows().write(object, out);
    return end(type, out);
  }

  /** Like `event`, for a large object, in steps between which the caller may pause. */
  *largeEvent(type: string, object: CachedObject, columns: TableColumns): Steps<Pieces> {
    const out = this.#begin(object, columns);
    yield* this.#rows().writeSteps(object, out);
    return end(type, out);
  }

  /** A Table without rows. */
  empty(metadata: ObjectMeta, columns: TableColumns): ApiObject {
    return { kind: "Table", apiVersion: this.#metaApiVersion, metadata, columnDefinitions: columns, rows: [] };
  }

  #rows(): RowJson {
    return new RowJson(this.#resource, this.#include, this.#metadata, this.#now());
  }

  #begin({ modRevision }: CachedObject, columns: TableColumns): PieceWriter {
    const { rows: _rows, ...head } = this.empty({ resourceVersion: String(modRevision) }, columns);
    const out = new PieceWriter();
    out.text(`${stringifyJson(head).slice(0, -1)},"rows":[`);
    return out;
  }
}

function end(type: string, out: PieceWriter): Pieces {
  out.text("]}");
  return jsonEvent(type, out.pieces);
}
