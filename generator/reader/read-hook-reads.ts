import { Node, Project, ts } from "ts-morph";
import { mayRead } from "../../runtime/registry/definition-hashes.ts";
import { locate } from "./locate.ts";
import { resolveImport } from "./resolve-import.ts";
import type { Location } from "./syntax.ts";

/** One entry of `reads` in a hooks file: the constant, and the file or module of definitions that it is imported from. */
export interface HookRead {
  readonly name: string;
  readonly file?: string;
  readonly at: Location;
}

/** Returns the kinds that the hooks of a file read, in the order of `reads: [shelf, …]`. The rest of the code is ignored. */
export function readHookReads(path: string, text: string): readonly HookRead[] {
  if (!mayRead(text)) return [];
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  const source = project.createSourceFile(`/${path}`, text);
  const call = source.getVariableDeclaration("hooks")?.getInitializer();
  const hooks = Node.isCallExpression(call) ? call.getArguments()[0] : undefined;
  const property = Node.isObjectLiteralExpression(hooks) ? hooks.getProperty("reads") : undefined;
  const list = Node.isPropertyAssignment(property) ? property.getInitializer() : undefined;
  if (list === undefined) return [];
  const entries = Node.isArrayLiteralExpression(list) ? list.getElements() : [list];
  const imports = new Map<string, { readonly name: string; readonly file: string }>();
  for (const declaration of source.getImportDeclarations()) {
    const specifier = declaration.getModuleSpecifierValue();
    const file = resolveImport(specifier, path);
    if (file === undefined) continue;
    for (const named of declaration.getNamedImports())
      imports.set(named.getAliasNode()?.getText() ?? named.getName(), { name: named.getName(), file });
  }
  return entries.map((entry) => ({ name: entry.getText(), ...imports.get(entry.getText()), at: locate(entry, path) }));
}
