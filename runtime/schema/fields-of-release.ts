import type { SchemaSource } from "../contract/api-registry.ts";
import type {
  Field,
  JsonValue,
  StructType,
  TypeDefinition,
  TypeModule,
  TypeRef,
  TypeSource,
} from "../contract/type-table.ts";

/** Whether a field was introduced after the release that is served. */
export type IsLater = (field: Field, module: TypeModule) => boolean;

/** Returns the types without the fields of later releases, which are then unknown fields. */
export function typesOfRelease(source: TypeSource, isLater: IsLater): TypeSource {
  const known = new Map<string, TypeModule>();
  return {
    module(name) {
      const found = known.get(name) ?? moduleOfRelease(source.module(name), isLater);
      known.set(name, found);
      return found;
    },
  };
}

function moduleOfRelease(module: TypeModule, isLater: IsLater): TypeModule {
  const types = Object.entries(module.types).map(([name, type]): [string, TypeDefinition] => {
    if (!isStruct(type) || !type.fields.some((field) => isLater(field, module))) return [name, type];
    return [name, { ...type, fields: type.fields.filter((field) => !isLater(field, module)) }];
  });
  return { ...module, types: Object.fromEntries(types) };
}

/** Returns the OpenAPI schemas without the properties of later releases. */
export function schemasOfRelease(schemas: SchemaSource, types: TypeSource, isLater: IsLater): SchemaSource {
  return {
    modules: () => schemas.modules(),
    schemas(packageName) {
      const all = schemas.schemas(packageName);
      const name = schemas.modules().find((one) => one.package === packageName)?.module;
      if (name === undefined) return all;
      const module = types.module(name);
      const shown = Object.entries(all).map(([type, schema]): [string, typeof schema] => {
        const definition = module.types[type];
        const later = definition && isStruct(definition) ? laterNames(definition, module, types, isLater) : [];
        return [type, later.length === 0 ? schema : withoutProperties(schema, new Set(later))];
      });
      return Object.fromEntries(shown);
    },
  };
}

/** Returns the names of a struct's fields, including those of inlined structs, that belong to later releases. */
function laterNames(struct: StructType, module: TypeModule, types: TypeSource, isLater: IsLater): string[] {
  return struct.fields.flatMap((field) => {
    if (field.name !== "") return isLater(field, module) ? [field.name] : [];
    const dot = typeof field.type === "string" ? field.type.lastIndexOf(".") : -1;
    if (dot < 0) return [];
    const ref = field.type as TypeRef;
    const home = types.module(ref.slice(0, dot));
    const inlined = home.types[ref.slice(dot + 1)];
    return inlined !== undefined && isStruct(inlined) ? laterNames(inlined, home, types, isLater) : [];
  });
}

type Schema = { readonly [key: string]: JsonValue };

function withoutProperties(schema: Schema, names: ReadonlySet<string>): Schema {
  const properties = Object.entries((schema.properties ?? {}) as Schema).filter(([name]) => !names.has(name));
  const required = ((schema.required ?? []) as readonly string[]).filter((name) => !names.has(name));
  const { required: _required, ...rest } = schema;
  return {
    ...rest,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(properties),
  };
}

function isStruct(type: TypeDefinition): type is StructType {
  return "fields" in type;
}
