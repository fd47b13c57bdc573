import { type CelType, DYN, STRING, type StructField, type StructType } from "../types/cel-type.ts";
import { declare, global, type Library } from "./library.ts";

/** A step of a JSON patch. */
export const JSON_PATCH_TYPE = named("JSONPatch", (name) => PATCH_FIELDS[name]);

/** What an expression applies: an object whose fields may be anything, named by the path to it (`Object.spec.template`). */
export const OBJECT_TYPE = objectType("Object");

const PATCH_FIELDS: Readonly<Record<string, CelType>> = { op: STRING, path: STRING, from: STRING, value: DYN };

/** What expressions that change objects can make: objects to apply, and patches. */
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

/** A key as a segment of a JSON pointer. */
function escapeKey(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
