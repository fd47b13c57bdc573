import { Node, Project, ts } from "ts-morph";
import type { Diagnostics } from "../diagnostics.ts";
import type { SourceTree } from "../source-tree.ts";
import { locate } from "./locate.ts";
import { readLiteralObject } from "./read-literal.ts";
import type { LiteralSyntax, Location } from "./syntax.ts";

/** Configuration file in the root of a project. */
export const PROJECT_FILE = "typeplane.config.ts";

/** `export default defineConfig({ … })`, as written. */
export interface ProjectSyntax {
  readonly declaration: LiteralSyntax;
  readonly at: Location;
}

/** Reads the project's configuration; returns undefined if the file does not exist. */
export function readProject(tree: SourceTree, diagnostics: Diagnostics): ProjectSyntax | undefined {
  const text = tree.files.get(PROJECT_FILE);
  if (text === undefined) return undefined;
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  const source = project.createSourceFile(`/${PROJECT_FILE}`, text);
  const exported = source.getExportAssignment((assignment) => !assignment.isExportEquals())?.getExpression();
  if (!Node.isCallExpression(exported) || exported.getExpression().getText() !== "defineConfig") {
    diagnostics.report("config-missing", { file: PROJECT_FILE, line: 1, column: 1, text: "" });
    return undefined;
  }
  const declaration = readLiteralObject(exported.getArguments()[0], exported, PROJECT_FILE, diagnostics);
  return { declaration, at: locate(exported.getExpression(), PROJECT_FILE) };
}
