import type { Field, ScalarName, TypeExpr, TypeRef, TypeSource } from "../../../runtime/contract/type-table.ts";
import { definitionOf, fieldsOf } from "../../fixtures/type-fields.ts";

/** Numbers between 0 and 1 that depend on the seed only. */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const WORDS = ["", "a", "blue", "cpu", "Resource", "v1", "web-0", "User", "*", "<&>", "ServiceAccount", "x/y"];
const DEEPEST = 9;

/** Creates objects of any type from the server's own type tables. Over many objects, every combination of fields occurs. */
export class RandomObjects {
  readonly #types: TypeSource;
  readonly #random: Random;

  constructor(types: TypeSource, random: Random) {
    this.#types = types;
    this.#random = random;
  }

  object(ref: TypeRef): Record<string, unknown> {
    return this.#struct(fieldsOf(this.#types, ref), 0, new Set(["metadata", "kind", "apiVersion"]));
  }

  /** Returns a value of a type, such as an entry of a list. */
  value(type: TypeExpr): unknown {
    return this.#value(type, 4);
  }

  #struct(fields: readonly Field[], depth: number, leaveOut?: ReadonlySet<string>): Record<string, unknown> {
    const object: Record<string, unknown> = {};
    for (const field of fields) {
      if (leaveOut?.has(field.name)) continue;
      const likely = depth < 3 ? 0.8 : 0.45;
      if (field.required !== true && (depth > DEEPEST || this.#random() > likely)) continue;
      object[field.name] = this.#value(field.type, depth + 1, field.enum);
    }
    return object;
  }

  #value(type: TypeExpr, depth: number, words?: readonly string[]): unknown {
    if (typeof type === "object") {
      const length = depth > DEEPEST ? 0 : Math.floor(this.#random() * 3);
      if ("list" in type) return Array.from({ length }, () => this.#value(type.list, depth + 1));
      return Object.fromEntries(
        Array.from({ length }, (_, index) => [`key-${index}`, this.#value(type.map, depth + 1)]),
      );
    }
    if (!type.includes(".")) return this.#scalar(type as ScalarName, words);
    const definition = definitionOf(this.#types, type as TypeRef);
    if ("fields" in definition) return this.#struct(fieldsOf(this.#types, type as TypeRef), depth);
    return this.#value(definition.is, depth, words ?? definition.enum);
  }

  #scalar(scalar: ScalarName, words: readonly string[] = WORDS): unknown {
    switch (scalar) {
      case "string":
        return this.#one(this.#random() < 0.5 ? WORDS : words);
      case "boolean":
        return this.#random() < 0.5;
      case "int32":
        return this.#one([0, 1, 80, 2_147_483_647, -1]);
      case "int64":
        return this.#one<number | bigint>([0, 1, 7, 9_007_199_254_740_993n]);
      case "double":
        return this.#one([0, 1.5]);
      case "bytes":
        return this.#one(["", "AAEC"]);
      case "time":
        return "2020-01-02T03:04:05Z";
      case "microTime":
        return "2020-01-02T03:04:05.000006Z";
      case "duration":
        return this.#one(["0s", "1m0s"]);
      case "quantity":
        return this.#one(["0", "1", "100m", "4Gi"]);
      case "intOrString":
        return this.#one<string | number>([0, 80, "http", "25%"]);
      case "rawObject":
        return { apiVersion: "v1", kind: "Thing", deep: [1, { a: null }] };
      case "json":
        return this.#one<unknown>([1, "a", { b: [true] }]);
      case "fieldsV1":
        return { "f:a": {} };
      case "schemaOrArray":
        return this.#one<unknown>([{ type: "string" }, [{ type: "string" }]]);
      case "schemaOrBool":
        return this.#one<unknown>([true, { type: "string" }]);
      case "schemaOrStringArray":
        return this.#one<unknown>([["a"], { type: "string" }]);
    }
  }

  #one<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T;
  }
}
