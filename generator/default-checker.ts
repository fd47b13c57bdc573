import type { JsonValue, TypeExpr, TypeModule, TypeRef } from "../runtime/contract/type-table.ts";
import { createRuleCompiler } from "../runtime/schema/cel-rules.ts";
import { DecodeError, UnknownTypeError } from "../runtime/schema/schema-errors.ts";
import { createSchemas } from "../runtime/schema/schemas.ts";
import { presence, typeTable, withImpliedListType } from "./emitters/types/emit-types.ts";
import type { Markers } from "./model/contract.ts";
import type { Model } from "./model/model.ts";

/** A field with a default. */
export interface DefaultedField {
  readonly type: TypeExpr;
  readonly markers: Markers;
  /** Module that declares the field. */
  readonly module: string;
}

const FIELD = "value";
const HOLDER = "Holder";
const HOLDING = "default";

/** Returns why the server would reject the default of a field as its value; undefined if it would accept it. */
export function problemOfDefault(model: Model, field: DefaultedField, value: JsonValue): string | undefined {
  const schema = schemasOf(model, field).of(`${HOLDING}.${HOLDER}`);
  const unknown: string[] = [];
  try {
    const object = schema.decode({ [FIELD]: value }, { problems: unknown });
    if (unknown[0] !== undefined) return inPlace(unknown[0]);
    const canonical = (object as { readonly [FIELD]?: unknown })[FIELD];
    if (typeof value === "string" && canonical !== undefined && canonical !== value)
      return `it is stored as ${JSON.stringify(canonical)}`;
    schema.applyDefaults(object);
    const [error] = schema.validate(object);
    return error && inPlace(`${error.field}: ${error.message}`);
  } catch (error) {
    if (error instanceof DecodeError)
      return inPlace(error.fields.map(({ field, problem }) => `${field}: ${problem}`)[0] ?? error.message);
    // The type or rule itself is invalid, which another check reports.
    if (error instanceof UnknownTypeError) return undefined;
    throw error;
  }
}

/** Removes the name of the test field from a message: `value.size: must be …` becomes `size: must be …`. */
function inPlace(text: string): string {
  return text
    .replace(/^value: /, "")
    .replace(/^value\b\.?/, "")
    .replace(/"value\./, '"');
}

function schemasOf(model: Model, { type, markers, module }: DefaultedField) {
  const { default: _, rules, immutable: __, ...others } = withImpliedListType(model, type, markers);
  const field = {
    name: FIELD,
    type,
    ...others,
    ...(rules && { rules: rules.filter(({ rule }) => !/\boldSelf\b/.test(rule)) }),
  };
  const tracked = presence(model, { ...field, optional: true, markers, description: "", at: NOWHERE });
  const owner = model.modules.get(module);
  const holding: TypeModule = {
    module: HOLDING,
    ...(owner?.group && { group: owner.group.name }),
    types: { [HOLDER]: { fields: [{ ...field, ...tracked }] } },
  } as TypeModule;
  const own = new Set(model.groups.filter(({ kubernetes }) => !kubernetes).map(({ name }) => name));
  return createSchemas(
    { module: (name) => (name === HOLDING ? holding : tablesOf(model, name)) },
    {
      compileRules: createRuleCompiler(),
      tellsByField: () => true,
      enforces: ({ group = "" }) => own.has(group),
    },
  );
}

const NOWHERE = { file: "", line: 1, column: 1, text: "" };

/** Returns the type tables of a module, as the server will have them. */
function tablesOf(model: Model, name: string): TypeModule {
  const module = model.modules.get(name);
  if (module === undefined) throw new UnknownTypeError(name as TypeRef);
  return model.memory.of("tables", module, () => ({
    module: name,
    ...(module.group && { group: module.group.name }),
    ...(module.version !== undefined && { version: module.version }),
    protoPackage: module.protoPackage,
    openapiPrefix: module.openapiPrefix,
    types: Object.fromEntries([...module.types.values()].map((type) => [type.name, typeTable(model, type)])),
  })) as TypeModule;
}
