import { presence, showsNull, withImpliedListType } from "../emitters/types/emit-types.ts";
import type { JsonValue, Markers, ScalarName, TypeExpr, TypeRef } from "../model/contract.ts";
import { describeField } from "../model/describe.ts";
import type { FieldModel, KindModel, Model, StructModel } from "../model/model.ts";
import { PLAIN_SCALARS, ZERO_VALUES } from "../model/scalar-schemas.ts";
import { findType, isRef, jsonFields, structOf, unalias } from "../model/type-walk.ts";
import type { Location } from "../reader/syntax.ts";
import { FORMATS } from "./formats.ts";
import {
  DURATION_PATTERN,
  EMBEDDED,
  INT_OR_STRING,
  type JsonSchema,
  LIST_KEYS,
  LIST_TYPE,
  MAP_TYPE,
  PRESERVE,
  QUANTITY_PATTERN,
  type SchemaRule,
  VALIDATIONS,
} from "./json-schema.ts";

/** A feature of a definition that a CustomResourceDefinition cannot express. */
export interface CrdNote {
  /** `library.example.com/v1 Book`, followed by the field if the note is about one. */
  readonly where: string;
  readonly text: string;
  readonly at: Location;
}

export interface WrittenSchema {
  readonly schema: JsonSchema;
  readonly notes: readonly CrdNote[];
  /** Source locations of the values, by path in the schema: `properties[spec].properties[size]`. */
  readonly places: ReadonlyMap<string, Location>;
}

const SCALARS: { readonly [scalar in ScalarName]: JsonSchema } = {
  ...PLAIN_SCALARS,
  time: { type: "string", format: "date-time" },
  microTime: { type: "string", format: "date-time" },
  duration: { type: "string", pattern: DURATION_PATTERN },
  quantity: { pattern: QUANTITY_PATTERN, [INT_OR_STRING]: true },
  intOrString: { [INT_OR_STRING]: true },
  rawObject: { type: "object", [PRESERVE]: true },
  json: { [PRESERVE]: true },
  fieldsV1: { type: "object", [PRESERVE]: true },
  schemaOrArray: { [PRESERVE]: true },
  schemaOrBool: { [PRESERVE]: true },
  schemaOrStringArray: { [PRESERVE]: true },
};

/** Position of a value while its schema is written. */
interface Place {
  /** Path of the field in the object: `spec.pages`. */
  readonly field: string;
  /** Path in the schema: `properties[spec].properties[pages]`. */
  readonly schema: string;
  readonly at: Location;
  /** Whether the old value can be found in an update. False within lists without keys. */
  readonly hasOld: boolean;
  /** The structs that contain the value. */
  readonly within: readonly TypeRef[];
}

/** Returns the schema of a kind. Types are written in place, not by reference. */
export function writeSchema(model: Model, kind: KindModel): WrittenSchema {
  const writer = new SchemaWriter(model, kind);
  return { schema: writer.kind(), notes: writer.notes, places: writer.places };
}

class SchemaWriter {
  readonly notes: CrdNote[] = [];
  readonly places = new Map<string, Location>();
  readonly #model: Model;
  readonly #kind: KindModel;

  constructor(model: Model, kind: KindModel) {
    this.#model = model;
    this.#kind = kind;
  }

  kind(): JsonSchema {
    const struct = structOf(this.#model, this.#kind.type);
    const place: Place = { field: "", schema: "", at: this.#kind.at, hasOld: true, within: [] };
    const schema = struct === undefined ? { type: "object" } : this.#struct(struct, place, true);
    return finish({ ...(this.#kind.description !== "" && { description: this.#kind.description }), ...schema });
  }

  #note(place: Place, text: string): void {
    const { group, version, kind } = this.#kind;
    const field = place.field === "" ? "" : `, ${place.field.replace(/^\./, "")}`;
    this.notes.push({ where: `${group}/${version} ${kind}${field}`, text, at: place.at });
  }

  #isOfKubernetes(file: string): boolean {
    const module = this.#model.modules.get(file.split("/").slice(1, -1).join("/"));
    return module?.group === undefined || module.group.kubernetes || module.group.folder === "meta";
  }

  #struct(struct: StructModel, place: Place, isRoot = false): JsonSchema {
    const fields = jsonFields(this.#model, struct);
    const properties: { [name: string]: JsonSchema } = {};
    const required: string[] = [];
    const rules: SchemaRule[] = [];
    for (const field of fields) {
      // The gates of Kubernetes are set by the cluster, so they are ignored here.
      const { gate } = field.markers;
      if (gate !== undefined && !this.#isOfKubernetes(field.at.file) && !this.#isOn(gate)) {
        this.#note(inside(place, field), `is left out: its feature gate ${gate} is off`);
        continue;
      }
      const at = inside(place, field);
      this.places.set(at.schema, field.at);
      properties[field.name] =
        isRoot && ["apiVersion", "kind", "metadata"].includes(field.name)
          ? objectField(field)
          : this.#field(field, at, rules);
      const isImplied = isRoot && field.name === "metadata";
      if (!field.optional && !isImplied) required.push(field.name);
    }
    return this.#add(
      {
        type: "object",
        ...(Object.keys(properties).length > 0 && { properties }),
        ...(required.length > 0 && { required }),
      },
      { ...struct.markers, rules: [...rules, ...(struct.markers.rules ?? [])] },
      struct.ref,
      place,
    );
  }

  #field(field: FieldModel, place: Place, parentRules: SchemaRule[]): JsonSchema {
    const markers = withImpliedListType(this.#model, field.type, field.markers);
    const isForeign = this.#isOfKubernetes(field.at.file);
    const schema = this.#value(field.type, isForeign ? { ...markers, closed: undefined } : markers, place);
    if (!isForeign) this.#tellUnsupported(field, place);
    const real = unalias(this.#model, field.type);
    const isMany = typeof real === "object";
    // The server rejects an empty required list or map, because it cannot distinguish empty from absent.
    if (!field.optional && isMany && !isForeign) {
      if ("list" in real) schema.minItems ??= 1;
      else schema.minProperties ??= 1;
    }
    const standard = isForeign ? undefined : this.#absent(field, real);
    if (schema.default === undefined && standard !== undefined) schema.default = standard;
    // Objects that were read from the server can be written to a cluster.
    if (schema.default === undefined && (field.optional || isForeign) && showsNull(this.#model, field))
      schema.nullable ??= true;
    if (markers.immutable) this.#immutable(field, schema, place, parentRules);
    const description = isForeign ? field.description : this.#describe(field);
    if (description) schema.description ??= description;
    return schema;
  }

  /** Returns the description, with what a schema has no keyword for: that a field is deprecated, and what its values mean. */
  #describe(field: FieldModel): string {
    const named = isRef(field.type) ? findType(this.#model, field.type) : undefined;
    const values = field.valueDescriptions ?? (named?.form === "alias" ? named.valueDescriptions : undefined);
    if (field.markers.deprecated !== undefined || values !== undefined) return describeField(this.#model, field);
    return field.description || (named?.description ?? "");
  }

  /** Returns the value that the server writes for an unset field; undefined if it writes none. */
  #absent(field: FieldModel, real: TypeExpr): JsonValue | undefined {
    const { always, tracked } = presence(this.#model, field);
    if (!always || tracked || !field.optional || typeof real === "object") return undefined;
    if (!isRef(real)) return ZERO_VALUES[real];
    const struct = structOf(this.#model, real);
    const needs =
      struct && jsonFields(this.#model, struct).some((one) => !one.optional && one.markers.default === undefined);
    return needs ? undefined : {};
  }

  /**
   * Adds a rule that makes a field immutable. A rule on the field only compares values that are set; a rule on the parent also detects that
   * the field was set or removed.
   */
  #immutable(field: FieldModel, schema: JsonSchema, place: Place, parentRules: SchemaRule[]): void {
    if (!place.hasOld) {
      this.#note(
        place,
        "Immutable has no effect within a list without keys, because items cannot be compared with older ones",
      );
      return;
    }
    const message = "field is immutable";
    const isNamed = /^[\w./-]+$/.test(field.name) && !/^\d/.test(field.name);
    if (!isNamed && field.optional && schema.default === undefined)
      this.#note(place, "Immutable does not keep it from being set or removed: expressions cannot have its name");
    if (!field.optional || schema.default !== undefined || !isNamed) {
      const rules = (schema[VALIDATIONS] as SchemaRule[] | undefined) ?? [];
      schema[VALIDATIONS] = [{ rule: "self == oldSelf", message }, ...rules];
      return;
    }
    const name = celName(field.name);
    const isKept = `has(self.${name}) == has(oldSelf.${name})`;
    const rule = `${isKept} && (!has(self.${name}) || self.${name} == oldSelf.${name})`;
    parentRules.push({ rule, message, fieldPath: fieldPath(field.name) });
  }

  #value(type: TypeExpr, markers: Markers, place: Place): JsonSchema {
    if (typeof type === "object") {
      const isList = "list" in type;
      const step = isList ? "items" : "additionalProperties";
      const inner: Place = {
        ...place,
        field: `${place.field}[]`,
        schema: place.schema === "" ? step : `${place.schema}.${step}`,
        hasOld: place.hasOld && (!isList || markers.listType === "map"),
      };
      const item = isList ? type.list : type.map;
      const of = this.#value(item, {}, inner);
      const described = isRef(item) ? findType(this.#model, item)?.description : undefined;
      if (described !== undefined && described !== "") of.description ??= described;
      if (!isList) return this.#add({ type: "object", additionalProperties: of }, markers, type, place);
      if (markers.listType === "map") completeKeys(of, markers.listMapKeys ?? []);
      return this.#add({ type: "array", items: of }, markers, type, place);
    }
    if (!isRef(type)) {
      if (type === "json" && markers.schema !== undefined) return { ...(markers.schema as JsonSchema) };
      return this.#add({ ...SCALARS[type] }, markers, type, place);
    }
    const named = findType(this.#model, type);
    if (named === undefined) return { [PRESERVE]: true };
    if (named.form === "alias") {
      const closed = this.#isOfKubernetes(named.at.file) ? undefined : named.markers.closed;
      const own = withImpliedListType(this.#model, named.is, { ...named.markers, closed });
      return this.#value(named.is, withRulesOf(own, { ...own, ...defined(markers) }), place);
    }
    if (place.within.includes(type)) {
      this.#note(place, `${named.name} contains itself: unknown fields are kept, and nothing below is validated`);
      return this.#add({ type: "object", [PRESERVE]: true }, markers, type, place);
    }
    const schema = this.#struct(named, { ...place, within: [...place.within, type] });
    const { rules, ...others } = markers;
    const added = this.#add(schema, others, type, place);
    const all = [...((added[VALIDATIONS] as SchemaRule[] | undefined) ?? []), ...this.#rules(rules ?? [], place)];
    if (all.length > 0) added[VALIDATIONS] = all;
    return added;
  }

  /** Returns the schema with the keywords of the markers added. */
  #add(schema: JsonSchema, markers: Markers, type: TypeExpr, place: Place): JsonSchema {
    const { minimum, maximum, minLength, maxLength, pattern, minItems, maxItems, minProperties, maxProperties } =
      markers;
    const limits = { minimum, maximum, minLength, maxLength, pattern, maxItems, maxProperties };
    const added: JsonSchema = { ...schema };
    for (const [name, value] of Object.entries(limits))
      if (value !== undefined) Object.assign(added, { [name]: value });
    // Zero means that a required list or map may be empty.
    if (minItems !== undefined) added.minItems = minItems;
    if (minProperties !== undefined) added.minProperties = minProperties;
    if (markers.closed && markers.enum !== undefined) added.enum = [...markers.enum];
    if (markers.default !== undefined) added.default = markers.default;
    if (markers.listType !== undefined && schema.type === "array") added[LIST_TYPE] = markers.listType;
    if (markers.listType === "map" && schema.type === "array") added[LIST_KEYS] = [...(markers.listMapKeys ?? [])];
    if (markers.mapType !== undefined && schema.type === "object") added[MAP_TYPE] = markers.mapType;
    if (markers.preserveUnknown) added[PRESERVE] = true;
    if (markers.embeddedObject) Object.assign(added, { type: "object", [EMBEDDED]: true });
    const rules = this.#rules(markers.rules ?? [], place);
    if (markers.format !== undefined) this.#format(markers.format, type, added, rules, place);
    if (rules.length > 0) added[VALIDATIONS] = rules;
    return Object.assign(added, markers.schema);
  }

  #format(format: string, type: TypeExpr, schema: JsonSchema, rules: SchemaRule[], place: Place): void {
    const known = unalias(this.#model, type) === "string" ? FORMATS[format] : undefined;
    if (known === undefined) {
      this.#note(place, `the format ${format} is not validated`);
      return;
    }
    const { pattern, maxLength, allOf = [], ...others } = known.keywords ?? {};
    Object.assign(schema, others);
    if (maxLength !== undefined) schema.maxLength = Math.min(maxLength, schema.maxLength ?? maxLength);
    const more = [...(schema.allOf ?? []), ...allOf];
    if (pattern !== undefined && schema.pattern !== undefined) more.push({ pattern });
    else if (pattern !== undefined) schema.pattern = pattern;
    if (more.length > 0) schema.allOf = more;
    if (known.rule !== undefined) rules.push(known.rule);
  }

  /** Leaves out rules that compare with an old value if there is none. The server does not evaluate them either. */
  #rules(rules: Markers["rules"] & object, place: Place): SchemaRule[] {
    return rules.flatMap((rule) => {
      if (place.hasOld || rule.optionalOldSelf || !/\boldSelf\b/.test(rule.rule)) return [{ ...rule }];
      this.#note(
        place,
        `the rule ${rule.rule} is left out: items of a list without keys cannot be compared with older ones`,
      );
      return [];
    });
  }

  #tellUnsupported({ markers }: FieldModel, place: Place): void {
    if (markers.patchStrategy !== undefined)
      this.#note(place, "strategic merge patches are not supported: clients use server-side apply or JSON merge patch");
    if (markers.discriminator) this.#note(place, "Discriminator is not published: custom resources have no unions");
  }

  #isOn(gates: string): boolean {
    return gates.split(",").some((name) => {
      const steps = this.#model.gates.find((gate) => gate.name === name)?.steps ?? [];
      return steps.at(-1)?.enabled === true;
    });
  }
}

/** Returns the schema of apiVersion, kind or metadata. Every server defines them; only the name can be restricted. */
function objectField(field: FieldModel): JsonSchema {
  if (field.name !== "metadata") return { type: "string", ...OBJECT_FIELDS[field.name as "kind"] };
  return { type: "object", ...(field.markers.schema as JsonSchema | undefined) };
}

const OBJECT_FIELDS = {
  apiVersion: { description: "Version of the schema of this object: `group/version`." },
  kind: { description: "Kind of this object, in CamelCase. Cannot be changed." },
};

function inside(place: Place, field: FieldModel): Place {
  return {
    ...place,
    field: `${place.field}.${field.name}`,
    schema: `${place.schema === "" ? "" : `${place.schema}.`}properties[${field.name}]`,
    at: field.at,
  };
}

/** Sets zero values as defaults of optional keys: keys must be required or have a default, and Kubernetes treats unset keys as empty. */
function completeKeys(item: JsonSchema, keys: readonly string[]): void {
  for (const key of keys) {
    const schema = item.properties?.[key];
    if (schema === undefined || schema.default !== undefined || item.required?.includes(key)) continue;
    schema.default = schema.type === "integer" ? 0 : schema.type === "boolean" ? false : "";
  }
}

/** Merges the markers of a type with those of a field or entry: rules and keywords of both apply. */
function withRulesOf(type: Markers, { rules, schema, ...place }: Markers): Markers {
  const all = rules === type.rules ? rules : [...(type.rules ?? []), ...(rules ?? [])];
  const keywords = schema === undefined ? type.schema : { ...type.schema, ...schema };
  return { ...place, ...(all && { rules: all }), ...(keywords && { schema: keywords }) };
}

function defined(markers: Markers): Markers {
  return Object.fromEntries(Object.entries(markers).filter(([, value]) => value !== undefined));
}

/** Returns the name of a field in CEL expressions. Characters and words that CEL does not allow are escaped. */
function celName(name: string): string {
  const escaped = name
    .replaceAll("__", "__underscores__")
    .replaceAll(".", "__dot__")
    .replaceAll("-", "__dash__")
    .replaceAll("/", "__slash__");
  return RESERVED.has(escaped) ? `__${escaped}__` : escaped;
}

const RESERVED = new Set(
  "true false null in as break const continue else for function if import let loop package namespace return".split(" "),
);

function fieldPath(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`;
}

/** Removes limits of zero, which have no effect. */
function finish(schema: JsonSchema): JsonSchema {
  const { minItems, minProperties, format, ...rest } = schema;
  return {
    ...rest,
    ...(format && { format }),
    ...(minItems !== undefined && minItems > 0 && { minItems }),
    ...(minProperties !== undefined && minProperties > 0 && { minProperties }),
    ...(rest.properties && {
      properties: Object.fromEntries(Object.entries(rest.properties).map(([name, one]) => [name, finish(one)])),
    }),
    ...(rest.items && { items: finish(rest.items) }),
    ...(typeof rest.additionalProperties === "object" && { additionalProperties: finish(rest.additionalProperties) }),
  };
}
