import type { ApiObject } from "../../contract/api-object.ts";
import { stringifyJson } from "../../encoding/json/stringify-json.ts";
import type { ServedResource } from "../../kinds/served-resource.ts";
import type { Steps } from "../../lib/in-turns.ts";
import { humanDuration } from "../../values/human-duration.ts";
import type { CachedObject } from "../../watch/cached-object.ts";
import { memoOf } from "../../watch/memo-budget.ts";
import type { BodyWriter } from "./chunk-writer.ts";
import { jsonOf } from "./encode-object.ts";
import type { MetadataJson } from "./metadata-json.ts";
import { RowObject } from "./row-object.ts";
import { type IncludeObject, tableShape } from "./table.ts";

/** A row as text, up to its object. Only the age, if there is one, changes with time. */
interface RowText {
  readonly head: string;
  /** Undefined if the row shows no age. */
  readonly age: { readonly since: number | undefined; readonly tail: string } | undefined;
  /** Whether other cells depend on the time: the text must not be cached. */
  readonly timely: boolean;
}

const ROW_OVERHEAD = 100;
const CLOSE = 0x7d;

/** What most cells without a value show. */
const NONE = "<none>";
const NONE_JSON = stringifyJson(NONE);

function cellJson(cell: unknown): string {
  return cell === NONE ? NONE_JSON : stringifyJson(cell);
}

/** The rows of one Table as JSON. The cells of an object are computed once, without the age. */
export class RowJson {
  readonly #resource: ServedResource;
  readonly #include: IncludeObject;
  readonly #metadata: MetadataJson;
  readonly #now: Date;
  readonly #memoName: string;
  /** The object of the row being written, if it was needed. */
  #row: RowObject | undefined;

  constructor(resource: ServedResource, include: IncludeObject, metadata: MetadataJson, now: Date) {
    this.#resource = resource;
    this.#include = include;
    this.#metadata = metadata;
    this.#now = now;
    this.#memoName = `${resource.apiVersion} row`;
  }

  /** Like `write`, for a large object, in steps between which the caller may pause. */
  *writeSteps(object: CachedObject, out: BodyWriter): Steps<void> {
    const isKept = memoOf(object, this.#memoName) !== undefined;
    this.write(object, out, isKept ? undefined : ((yield* object.objectSteps()) as unknown as ApiObject));
  }

  /** `stored` is the parsed object, if available. */
  write(object: CachedObject, out: BodyWriter, stored?: ApiObject): void {
    this.#row = undefined;
    const { head, age } = this.#textOf(object, stored);
    out.text(head);
    if (age !== undefined) {
      const shown = age.since === undefined ? "<unknown>" : humanDuration(this.#now.getTime() - age.since);
      out.text(stringifyJson(shown));
      out.text(age.tail);
    }
    switch (this.#include) {
      case "None":
        out.text("null");
        break;
      case "Object":
        out.bytes(jsonOf(object, this.#resource, this.#row));
        break;
      case "Metadata":
        this.#metadata.write(object, out, this.#row);
    }
    out.byte(CLOSE);
  }

  #textOf(object: CachedObject, stored: ApiObject | undefined): RowText {
    const kept = memoOf(object, this.#memoName)?.value as RowText | undefined;
    if (kept !== undefined) return kept;
    const text = this.#makeText(object, stored);
    if (text.timely) return text;
    const size = ROW_OVERHEAD + text.head.length + (text.age?.tail.length ?? 0);
    return object.remember(
      this.#memoName,
      () => text,
      () => size,
    );
  }

  #makeText(cached: CachedObject, stored: ApiObject | undefined): RowText {
    const shape = tableShape(this.#resource);
    const row =
      stored === undefined ? RowObject.ofCells(this.#resource, cached) : RowObject.ofStored(this.#resource, stored);
    this.#row = row;
    let timely = shape.hasTimes || this.#resource.stored.hooks.compatibility?.moreCells !== undefined;
    const made = shape.hookCells(row, () => {
      timely = true;
      return this.#now;
    });
    const ageColumn = shape.columnDefinitions[shape.agePlace];
    const agePlace = ageColumn === undefined || Object.hasOwn(made, ageColumn.name) ? -1 : shape.agePlace;
    const cells = shape.allCells(row, made, () => this.#now).map(cellJson);
    const conditions = shape.conditions(row);
    const end = `]${conditions.length > 0 ? `,"conditions":${stringifyJson(conditions)}` : ""},"object":`;
    if (agePlace < 0) return { head: `{"cells":[${cells.join(",")}${end}`, age: undefined, timely };
    const before = cells.slice(0, agePlace).map((cell) => `${cell},`);
    const after = cells.slice(agePlace + 1).map((cell) => `,${cell}`);
    const { creationTimestamp } = row.metadata;
    const since = creationTimestamp ? Date.parse(creationTimestamp) : undefined;
    return { head: `{"cells":[${before.join("")}`, age: { since, tail: `${after.join("")}${end}` }, timely };
  }
}
