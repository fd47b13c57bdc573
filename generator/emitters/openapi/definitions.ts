import type { Json, JsonPart } from "../../../runtime/openapi/json.ts";
import type { JsonValue, Markers, ScalarName, TypeExpr, TypeRef } from "../../model/contract.ts";
import { describeField } from "../../model/describe.ts";
import type { FieldModel, Model, ModuleModel, StructModel } from "../../model/model.ts";
import { PLAIN_SCALARS, ZERO_VALUES } from "../../model/scalar-schemas.ts";
import { defaultOfType, findType, isRef, jsonFields, structOf, unalias } from "../../model/type-walk.ts";
import { presence, showsNull } from "../types/emit-types.ts";
import { JSON_VALUE, SPECIAL, type SpecialDefinition } from "./special-definitions.ts";

const PLAIN: { readonly [scalar in ScalarName]?: Json } = PLAIN_SCALARS;

/** Definitions that a schema refers to: types, and scalars with a definition of their own, by its name. */
interface Needs {
  readonly types: Set<TypeRef>;
  readonly specials: Map<string, Json>;
}

interface WrittenSchema {
  readonly schema: Json;
  readonly needs: Needs;
}

/** Writes schemas of types in the form of OpenAPI 3.0, and those of all types that they refer to. */
export class Definitions {
  readonly #model: Model;
  readonly #ofKinds: ReadonlyMap<TypeRef, KindExtensions>;
  readonly #written = new Map<string, Json>();
  readonly #prefix: string;
  /** Definitions that the struct being written refers to. */
  #needed: Needs = { types: new Set(), specials: new Map() };

  constructor(model: Model) {
    this.#model = model;
    this.#ofKinds = extensionsOfKinds(model);
    this.#prefix = model.domain.split(".").reverse().join(".");
  }

  /** Returns all definitions referred to so far, by name. */
  written(): ReadonlyMap<string, Json> {
    return this.#written;
  }

  /** Returns a reference to a struct. Writes its definition and all that it needs. */
  refTo(type: TypeRef): Json {
    const struct = findType(this.#model, type);
    const module = this.#moduleOf(type);
    const name = `${module.openapiPrefix}.${struct?.name ?? type}`;
    if (!this.#written.has(name) && struct?.form === "struct") {
      this.#written.set(name, {});
      this.#written.set(name, this.#schemaOf(struct, module));
    }
    this.#needed.types.add(type);
    return this.#pointer(name);
  }

  /** Returns the schema that an earlier run wrote of a struct that did not change, or writes it. */
  #schemaOf(struct: StructModel, module: ModuleModel): Json {
    const memory = this.#model.memory.of("schema", struct, () => new Map<string, WrittenSchema>());
    const ofKind = JSON.stringify(this.#ofKinds.get(struct.ref) ?? {});
    const known = memory.get(ofKind);
    if (known !== undefined) {
      for (const [name, schema] of known.needs.specials) this.#written.set(name, schema);
      for (const type of known.needs.types) this.refTo(type);
      return known.schema;
    }
    const outer = this.#needed;
    const needs: Needs = { types: new Set(), specials: new Map() };
    this.#needed = needs;
    const schema = this.#struct(struct, module);
    this.#needed = outer;
    memory.set(ofKind, { schema, needs });
    return schema;
  }

  #pointer(name: string): Json {
    return { $ref: `#/components/schemas/${name}` };
  }

  #moduleOf(type: TypeRef): ModuleModel {
    const module = this.#model.modules.get(type.slice(0, type.lastIndexOf(".")));
    if (module === undefined) throw new RangeError(`no module defines ${type}`);
    return module;
  }

  #struct(struct: StructModel, module: ModuleModel): Json {
    const fields = jsonFields(this.#model, struct);
    const required = fields.filter((field) => !field.optional).map((field) => field.name);
    const properties = fields
      .map((field): [string, Json] => [field.name, this.#property(field, module)])
      .sort(([a], [b]) => (a < b ? -1 : 1));
    const ofKind = Object.entries(this.#ofKinds.get(struct.ref) ?? {});
    const union = unionOf(fields);
    return {
      ...(struct.description !== "" && { description: struct.description }),
      type: "object",
      ...(required.length > 0 && { required }),
      ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
      ...Object.fromEntries(ofKind.map(([name, values]) => [this.#x(name), values])),
      ...this.#extensions(struct.markers),
      ...(!module.group?.kubernetes && this.#rules(struct.markers, struct.ref)),
      ...(union && { [this.#x("unions")]: [union] }),
    };
  }

  /** Returns the module that declares the field: its group decides whether rules are published, even if the field is embedded elsewhere. */
  #moduleOfField(field: FieldModel, otherwise: ModuleModel): ModuleModel {
    const folder = field.at.file.split("/").slice(1, -1).join("/");
    return this.#model.modules.get(folder) ?? otherwise;
  }

  #property(field: FieldModel, struct: ModuleModel): Json {
    const module = this.#moduleOfField(field, struct);
    const published = !module.group?.kubernetes;
    const { always, tracked } = presence(this.#model, field);
    const schema = this.#schema(field.type, module);
    const rules = published ? this.#rules(field.markers, field.type) : {};
    const given = field.markers.default ?? defaultOfType(this.#model, field.type);
    const declared = published || field.published ? given : undefined;
    // Only Kubernetes publishes zero values as defaults: they may violate the rules of the field.
    const standard = always && !tracked && struct.group?.kubernetes ? this.#zero(field.type) : undefined;
    const isNull = published && field.optional && declared === undefined && showsNull(this.#model, field);
    const description = describeField(this.#model, field);
    return this.#combine(schema, {
      ...(isNull && { nullable: true }),
      ...(description !== "" && { description }),
      ...((declared ?? standard) !== undefined && { default: declared ?? standard }),
      ...(field.markers.closed && { enum: [...(field.markers.enum ?? [])].sort() }),
      ...rules,
      ...this.#extensions(field.markers),
    });
  }

  /** Adds keywords to a schema. A reference cannot have other keywords, so it is wrapped in `allOf`. */
  #combine(schema: Json, { default: standard, ...more }: { [key: string]: JsonPart | undefined }): Json {
    const added = { ...more, ...(standard !== undefined && { default: standard }) } as Json;
    const key = this.#x("validations");
    const [ofType, ofPlace] = [schema[key], added[key]] as [Json[] | undefined, Json[] | undefined];
    const rules = ofType && ofPlace && { [key]: [...ofType, ...ofPlace] };
    if (!("$ref" in schema) || Object.keys(added).length === 0) return { ...schema, ...added, ...rules };
    return { ...added, allOf: [schema, ...((added.allOf as Json[] | undefined) ?? [])] };
  }

  #schema(type: TypeExpr, module: ModuleModel): Json {
    if (typeof type === "object") {
      const item = this.#item("list" in type ? type.list : type.map, module);
      return "list" in type ? { type: "array", items: item } : { type: "object", additionalProperties: item };
    }
    if (isRef(type)) {
      const named = findType(this.#model, type);
      if (named?.form !== "alias") return this.refTo(type);
      const own = this.#moduleOf(type);
      const rules = own.group !== undefined && !own.group.kubernetes ? this.#rules(named.markers, named.is) : {};
      const values = named.markers.closed ? { enum: [...(named.markers.enum ?? [])].sort() } : {};
      const extensions = this.#extensions(named.markers);
      return this.#combine(this.#schema(named.is, own), { ...values, ...rules, ...extensions });
    }
    const plain = PLAIN[type];
    if (plain !== undefined) return plain;
    const special = type === "json" ? (usesSchemas(module) ? JSON_VALUE : undefined) : SPECIAL[type];
    return special === undefined ? {} : this.#special(special, module);
  }

  /** In Kubernetes' own kinds, entries of lists and maps are values and not pointers, so their zero value is published as default. */
  #item(type: TypeExpr, module: ModuleModel): Json {
    const schema = this.#schema(type, module);
    const zero = module.group?.kubernetes ? this.#zero(type) : undefined;
    return zero === undefined ? schema : this.#combine(schema, { default: zero });
  }

  #zero(type: TypeExpr): JsonValue | undefined {
    const real = unalias(this.#model, type);
    if (typeof real === "object") return undefined;
    if (isRef(real)) return structOf(this.#model, real) === undefined ? undefined : {};
    return ZERO_VALUES[real];
  }

  #special(special: SpecialDefinition, module: ModuleModel): Json {
    const { name, description, schema } = special;
    const full = name.startsWith(".") ? module.openapiPrefix + name : `${this.#prefix}.${name}`;
    const definition = this.#written.get(full) ?? { description, ...schema };
    this.#written.set(full, definition);
    this.#needed.specials.set(full, definition);
    return this.#pointer(full);
  }

  #rules(markers: Markers, type: TypeExpr): { [key: string]: JsonPart | undefined } {
    const { minimum, maximum, minLength, maxLength, pattern, format, minItems, maxItems } = markers;
    const { minProperties, maxProperties, rules, schema } = markers;
    const known = unalias(this.#model, type) === "string" ? format : undefined;
    const defined = Object.entries({
      minimum,
      maximum,
      minLength,
      maxLength,
      pattern,
      minItems,
      maxItems,
      minProperties,
      maxProperties,
    });
    const validations = rules?.map((rule) => ({ ...rule }));
    return {
      ...Object.fromEntries(defined.filter(([, value]) => value !== undefined)),
      ...(known !== undefined && { format: known }),
      ...(validations && { [this.#x("validations")]: validations }),
      ...schema,
      // An empty format is equivalent to none.
      ...(schema?.format === "" && { format: undefined }),
    };
  }

  #extensions(markers: Markers): { [key: string]: JsonPart } {
    const { listType, listMapKeys, mapType, patchStrategy, patchMergeKey, preserveUnknown, embeddedObject } = markers;
    return {
      ...(embeddedObject && { [this.#x("embedded-resource")]: true }),
      ...(listMapKeys && { [this.#x("list-map-keys")]: listMapKeys }),
      ...(listType && { [this.#x("list-type")]: listType }),
      ...(mapType && { [this.#x("map-type")]: mapType }),
      ...(patchMergeKey !== undefined && { [this.#x("patch-merge-key")]: patchMergeKey }),
      ...(patchStrategy && { [this.#x("patch-strategy")]: patchStrategy.join(",") }),
      ...(preserveUnknown && { [this.#x("preserve-unknown-fields")]: true }),
    };
  }

  #x(name: string): string {
    return `x-${this.#model.vendor}-${name}`;
  }
}

/** Whether a module defines JSON schemas: then it also has a named definition for any JSON value. */
function usesSchemas(module: ModuleModel): boolean {
  return module.types.has("JSONSchemaProps");
}

/** Returns the discriminator of a union and the names of its members: the optional fields next to it. */
function unionOf(fields: readonly FieldModel[]): Json | undefined {
  const discriminator = fields.find((field) => field.markers.discriminator);
  if (discriminator === undefined) return undefined;
  const members = fields.filter((field) => field !== discriminator && field.optional);
  const names = members.map(({ name }) => [name, name.charAt(0).toUpperCase() + name.slice(1)]).sort();
  return { discriminator: discriminator.name, "fields-to-discriminateBy": Object.fromEntries(names) };
}

/** Extensions in the schemas of kinds and their lists, without the prefix of the vendor. */
interface KindExtensions {
  readonly "group-version-kind": readonly Json[];
  readonly "selectable-fields"?: readonly Json[];
}

/**
 * Returns the extensions of each type. A list has those of its kind, with the suffix `List`. Selectable fields are published for kinds of projects as
 * for those of CustomResourceDefinitions; Kubernetes publishes none for its own.
 */
function extensionsOfKinds(model: Model): Map<TypeRef, KindExtensions> {
  const found = new Map<TypeRef, KindExtensions>();
  for (const module of model.modules.values()) {
    for (const { type, listType, kind, group, version, selectableFields } of module.kinds) {
      if (module.name === META) {
        if (!EVERYWHERE.has(kind)) found.set(type, { "group-version-kind": [{ group: "", kind, version: "v1" }] });
        continue;
      }
      const isPublished = selectableFields.length > 0 && !module.group?.kubernetes;
      const fields = isPublished && { "selectable-fields": selectableFields.map((fieldPath) => ({ fieldPath })) };
      found.set(type, { "group-version-kind": [{ group, kind, version }], ...fields });
      if (listType !== undefined)
        found.set(listType, { "group-version-kind": [{ group, kind: `${kind}List`, version }], ...fields });
    }
  }
  return found;
}

const META = "meta/v1";
/** Kinds that belong to every version of every group. The documents list these themselves, so that a new group changes no schema. */
const EVERYWHERE = new Set(["DeleteOptions", "WatchEvent"]);
