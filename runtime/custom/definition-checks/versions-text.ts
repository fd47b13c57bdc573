import { goQuote } from "../../lib/go-quote.ts";
import type { DefinitionVersion } from "../definition/custom-definition.ts";
import { isShared } from "./shared-parts.ts";

/** Versions as Go prints them, with made-up addresses where it shows pointers. */
export function versionsText(versions: readonly DefinitionVersion[]): string {
  const type = "apiextensions.CustomResourceDefinitionVersion";
  const pointer = (name: string, isSet: boolean) => `(*${name})(${isSet ? "0xc000000000" : "nil"})`;
  const list = (name: string, isSet: boolean) => `[]apiextensions.${name}${isSet ? "{…}" : "(nil)"}`;
  const has = (version: DefinitionVersion, part: Parameters<typeof isShared>[1]) =>
    !isShared(versions, part) && version[part] !== undefined;
  const one = (version: DefinitionVersion): string => {
    const { name, served, storage, deprecated = false, deprecationWarning } = version;
    const parts = [
      `Name:${goQuote(name)}, Served:${served}, Storage:${storage}, Deprecated:${deprecated}`,
      `DeprecationWarning:${pointer("string", deprecationWarning !== undefined)}`,
      `Schema:${pointer("apiextensions.CustomResourceValidation", has(version, "schema"))}`,
      `Subresources:${pointer("apiextensions.CustomResourceSubresources", has(version, "subresources"))}`,
      `AdditionalPrinterColumns:${list("CustomResourceColumnDefinition", has(version, "additionalPrinterColumns"))}`,
      `SelectableFields:${list("SelectableField", has(version, "selectableFields"))}`,
    ];
    return `${type}{${parts.join(", ")}}`;
  };
  return `[]${type}{${versions.map(one).join(", ")}}`;
}
