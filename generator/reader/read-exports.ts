import type { ExportDeclaration, SourceFile } from "ts-morph";
import { locate } from "./locate.ts";
import type { DefinitionFile, Import } from "./syntax.ts";

/**
 * What a file exports besides its own declarations: `export { Shelf } from "./shelf.ts"`, `export * from "./shelf.ts"`, and names that it
 * imports, or declares under another name.
 */
export function readExports(
  source: SourceFile,
  path: string,
  imports: ReadonlyMap<string, Import>,
  fileOf: (declaration: ExportDeclaration) => string | undefined,
): Pick<DefinitionFile, "exports" | "exportsAllOf"> {
  const exports = new Map<string, Import>();
  const exportsAllOf: string[] = [];
  for (const declaration of source.getExportDeclarations()) {
    const file = declaration.hasModuleSpecifier() ? fileOf(declaration) : path;
    if (file === undefined) continue;
    const space = declaration.getNamespaceExport();
    if (space !== undefined) exports.set(space.getName(), { file, name: "*", at: locate(space, path) });
    else if (declaration.isNamespaceExport()) exportsAllOf.push(file);
    for (const named of declaration.getNamedExports()) {
      const name = named.getName();
      const exported = named.getAliasNode()?.getText() ?? name;
      const imported = file === path ? imports.get(name) : undefined;
      if (imported !== undefined) exports.set(exported, imported);
      else if (file !== path || exported !== name) exports.set(exported, { file, name, at: locate(named, path) });
    }
  }
  return { exports, exportsAllOf };
}
