import { isJsonObject, setOwn } from "../lib/json-object.ts";
import type { Shape } from "./shape.ts";
import type { PlainObject } from "./type-schema.ts";

/** Returns a value with the members of its structs in the order of their fields, which is the order in which Go fills structs from maps. */
export function inFieldOrder(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case "scalar":
      return value;
    case "list":
      if (shape.element.kind === "scalar") return value;
      return Array.isArray(value) ? value.map((item) => inFieldOrder(shape.element, item)) : value;
    case "map":
      if (!isJsonObject(value) || shape.element.kind === "scalar") return value;
      return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inFieldOrder(shape.element, item)]));
    case "struct": {
      if (!isJsonObject(value)) return value;
      const ordered: PlainObject = {};
      for (const { name, type } of shape.flatFields)
        if (Object.hasOwn(value, name)) ordered[name] = inFieldOrder(type, value[name]);
      for (const key of Object.keys(value)) if (!Object.hasOwn(ordered, key)) setOwn(ordered, key, value[key]);
      return ordered;
    }
  }
}
