import { goList, goStruct } from "../../../go/literal.ts";
import { goQuote } from "../../../go/quote.ts";
import type { DefinitionVersion, PrinterColumn } from "../definition/custom-definition.ts";
import { isShared } from "./shared-parts.ts";

const PACKAGE = "apiextensions";

/** Prints versions as Go does, with invented addresses for pointers. */
export function versionsText(versions: readonly DefinitionVersion[], isGiven: boolean): string {
  const type = "apiextensions.CustomResourceDefinitionVersion";
  const pointer = (name: string, isSet: boolean) => `(*${name})(${isSet ? "0xc000000000" : "nil"})`;
  const column = ({ name, type: kind, format = "", description = "", priority = 0, jsonPath }: PrinterColumn) =>
    goStruct(`${PACKAGE}.CustomResourceColumnDefinition`, {
      Name: goQuote(name),
      Type: goQuote(kind),
      Format: goQuote(format),
      Description: goQuote(description),
      Priority: String(priority),
      JSONPath: goQuote(jsonPath),
    });
  const selectable = ({ jsonPath }: { readonly jsonPath: string }) =>
    goStruct(`${PACKAGE}.SelectableField`, { JSONPath: goQuote(jsonPath) });
  const has = (version: DefinitionVersion, part: Parameters<typeof isShared>[1]) =>
    !isShared(versions, part) && version[part] !== undefined;
  const one = (version: DefinitionVersion): string => {
    const { name, served, storage, deprecated = false, deprecationWarning } = version;
    const parts = [
      `Name:${goQuote(name)}, Served:${served}, Storage:${storage}, Deprecated:${deprecated}`,
      `DeprecationWarning:${pointer("string", deprecationWarning !== undefined)}`,
      `Schema:${pointer("apiextensions.CustomResourceValidation", has(version, "schema"))}`,
      `Subresources:${pointer("apiextensions.CustomResourceSubresources", has(version, "subresources"))}`,
      `AdditionalPrinterColumns:${goList(`${PACKAGE}.CustomResourceColumnDefinition`, has(version, "additionalPrinterColumns") ? version.additionalPrinterColumns?.map(column) : undefined)}`,
      `SelectableFields:${goList(`${PACKAGE}.SelectableField`, has(version, "selectableFields") ? version.selectableFields?.map(selectable) : undefined)}`,
    ];
    return `${type}{${parts.join(", ")}}`;
  };
  return goList(type, isGiven ? versions.map(one) : undefined);
}
