import type { CelSchema } from "../cel/schema/cel-schema.ts";
import type { Markers, ScalarName } from "../contract/type-table.ts";
import { listTopology } from "./merge-type.ts";
import type { FieldShape, Shape, StructShape } from "./shape.ts";

/** Converts shapes to the schemas that CEL expressions use. Each named struct is converted once. */
export class CelSchemas {
  readonly #structs = new Map<StructShape, CelSchema>();

  of(shape: Shape, markers: Markers = shape.markers): CelSchema {
    const hasDefault = markers.default === undefined ? {} : { hasDefault: true };
    switch (shape.kind) {
      case "scalar":
        return { ...scalarSchema(shape.scalar, markers), ...hasDefault };
      case "list": {
        const { topology, keys } = listTopology(markers);
        const items = () => this.of(shape.element);
        return {
          kind: "list",
          get items() {
            return items();
          },
          listType: topology,
          ...(topology === "map" ? { listMapKeys: keys } : {}),
          ...(markers.maxItems === undefined ? {} : { maxItems: markers.maxItems }),
          ...hasDefault,
        };
      }
      case "map": {
        const values = () => this.of(shape.element);
        return {
          kind: "map",
          get values() {
            return values();
          },
          ...(markers.maxProperties === undefined ? {} : { maxProperties: markers.maxProperties }),
          ...hasDefault,
        };
      }
      case "struct":
        return this.#struct(shape);
    }
  }

  #struct(shape: StructShape): CelSchema {
    const known = this.#structs.get(shape);
    if (known !== undefined) return known;
    const schema = this.#describe(shape);
    this.#structs.set(shape, schema);
    return schema;
  }

  #describe(shape: StructShape): CelSchema {
    const fields = new Map<string, FieldShape>(shape.flatFields.map((field) => [field.name, field]));
    const schemas = new Map<string, CelSchema>();
    const isResource = ["apiVersion", "kind", "metadata"].every((name) => fields.has(name));
    return {
      kind: "object",
      name: shape.ref,
      propertyNames: () => fields.keys(),
      property: (name) => {
        const field = fields.get(name);
        if (field === undefined) return undefined;
        let schema = schemas.get(name);
        if (schema === undefined) schemas.set(name, (schema = this.of(field.type, field.markers)));
        return schema;
      },
      required: shape.flatFields.filter((field) => field.required).map((field) => field.name),
      ...(isResource ? { isResource: true } : {}),
    };
  }
}

function scalarSchema(scalar: ScalarName, markers: Markers): CelSchema {
  switch (scalar) {
    case "boolean":
      return { kind: "boolean" };
    case "int32":
    case "int64":
      return { kind: "integer" };
    case "double":
      return { kind: "number" };
    case "intOrString":
      return { kind: "intOrString" };
    case "bytes":
      return { kind: "string", format: "byte" };
    case "time":
    case "microTime":
      return { kind: "string", format: "date-time" };
    case "string":
    case "duration":
    case "quantity":
      return {
        kind: "string",
        ...(markers.maxLength === undefined ? {} : { maxLength: markers.maxLength }),
        ...(markers.closed && markers.enum !== undefined ? { enum: markers.enum } : {}),
      };
    default:
      return { kind: "any" };
  }
}
