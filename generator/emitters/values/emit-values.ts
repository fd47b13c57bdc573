import type { Artifact } from "../../artifact.ts";
import type { Model, ModuleModel, TypeModel } from "../../model/model.ts";
import { generateCommand } from "../template.ts";

/**
 * `generated/values/<group>.<version>.ts`: the values of each named union of strings as a list, in the order of the definition, for hooks
 * that validate them.
 */
export function emitValues(model: Model): Artifact[] {
  return model.ownModules.flatMap((module) => {
    const unions = [...module.types.values()].filter(isUnion).sort((a, b) => (a.name < b.name ? -1 : 1));
    return unions.length === 0
      ? []
      : [{ path: valuesPath(module), text: `${header(model)}\n${unions.map(printUnion).join("\n")}` }];
  });
}

function header(model: Model): string {
  return `// Generated from api-definitions. Do not edit: change the definitions and run \`${generateCommand(model)}\`.\n`;
}

function valuesPath({ name }: ModuleModel): string {
  return `generated/values/${name.replace("/", ".")}.ts`;
}

function isUnion(type: TypeModel): boolean {
  return type.form === "alias" && type.is === "string" && (type.markers.enum?.length ?? 0) > 0;
}

function printUnion({ name, ref, markers }: TypeModel): string {
  const { enum: values = [], closed } = markers;
  const which = closed ? "All values" : "The well-known values";
  return `/** ${which} of ${ref}. */\nexport const ${name}: readonly string[] = [${values.map((value) => JSON.stringify(value)).join(", ")}];\n`;
}
