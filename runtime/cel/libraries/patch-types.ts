import { type CelType, DYN, STRING, type StructField, type StructType } from "../types/cel-type.ts";
import { declare, global, type Library } from "./library.ts";

/** A step of a JSON patch. */
export const JSON_PATCH_TYPE = named("JSONPatch", (name) => PATCH_FIELDS[name]);

/** The type of applied objects: fields may have any value; nested types are named by their path (`Object.spec.template`). */
export const OBJECT_TYPE = objectType("Object");

const PATCH_FIELDS: Readonly<Record<string, CelType>> = { op: STRING, path: STRING, from: STRING, value: DYN };

/** Types that expressions for mutations can construct: objects to apply, and JSON patches. */
export const patchTypesLibrary: Library = {
  name: "patch types",
  functions: [
    declare(
      "jsonpatch.escapeKey",
      global("string_jsonpatch_escapeKey_string", [STRING], STRING, escapeKey, { total: true }),
    ),
  ],
  resolveType: (name) => {
    if (name === "JSONPatch") return JSON_PATCH_TYPE;
    return name === "Object" || name.startsWith("Object.") ? objectType(name) : undefined;
  },
};

function objectType(name: string): StructType {
  return named(name, () => DYN);
}

function named(name: string, typeOfField: (field: string) => CelType | undefined): StructType {
  const find = (jsonName: string): StructField | undefined => {
    const type = typeOfField(jsonName);
    return type && { jsonName, type };
  };
  return { kind: "struct", name, identity: name, field: find, property: find, fields: () => [] };
}

/** Escapes a key as a segment of a JSON pointer. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
