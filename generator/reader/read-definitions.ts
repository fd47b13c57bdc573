import { posix } from "node:path";
import {
  type ExportDeclaration,
  type ImportDeclaration,
  Node,
  Project,
  type SourceFile,
  ts,
  type VariableDeclaration,
} from "ts-morph";
import type { Diagnostics } from "../diagnostics.ts";
import type { SourceTree } from "../source-tree.ts";
import { DefinitionCache } from "./definition-cache.ts";
import { locate } from "./locate.ts";
import { readExports } from "./read-exports.ts";
import { readLiteral, readLiteralObject } from "./read-literal.ts";
import { readTypeDeclarations, readTypeNode } from "./read-types.ts";
import { resolveImport, VOCABULARY_FILE } from "./resolve-import.ts";
import type { CallDeclaration, DefinitionFile, Import, Literal } from "./syntax.ts";
import { VOCABULARY } from "./syntax.ts";

/**
 * Reads every definition file syntactically. Names are resolved through import declarations where needed; the type checker never runs, so
 * that reading the whole API takes seconds. Files in the cache are not read again.
 */
export function readDefinitions(
  tree: SourceTree,
  diagnostics: Diagnostics,
  cache: DefinitionCache = new DefinitionCache(),
): DefinitionFile[] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    skipFileDependencyResolution: true,
    compilerOptions: { target: ts.ScriptTarget.ESNext },
  });
  const exists = existenceIn(tree);
  const inOrder = [...tree.files].sort(([a], [b]) => (a < b ? -1 : 1));
  return inOrder.flatMap(([path, text]) => {
    if (!isDefinition(path)) return [];
    const known = cache.find(path, text, exists);
    if (known !== undefined) return known.file ?? [];
    const source = project.createSourceFile(`/${path}`, text);
    const before = diagnostics.count;
    const file = isCode(source, path, diagnostics) ? undefined : readFile(source, path, exists, diagnostics);
    if (diagnostics.count === before) cache.keep(path, text, { file, imported: importedFiles(source, path) });
    return file ?? [];
  });
}

/** Whether a definition file, or a module of them, exists in the tree. */
type Existence = (path: string) => boolean;

function existenceIn({ files }: SourceTree): Existence {
  const modules = new Set([...files.keys()].map((path) => posix.dirname(path)));
  return (path) => files.has(path) || modules.has(path);
}

/**
 * Whether a file contains code for hooks: it has functions and declares no kinds. Reports a function in a file with kinds, since nothing
 * would call it. Files of conversions have both.
 */
function isCode(source: SourceFile, path: string, diagnostics: Diagnostics): boolean {
  const [first] = source.getFunctions();
  if (first === undefined || path.endsWith("/conversions.ts")) return false;
  if (!/\b(kind|configKind|group)[<(]/.test(source.getFullText())) return true;
  const parameters = { what: "a function", expected: "<kind>.hooks.ts, or a file of its own" };
  diagnostics.report("unsupported-syntax", locate(first, path, first.getName() ?? "function"), parameters);
  return false;
}

/** Whether the path is that of a definition file. Hooks are code: they are found by their file name and are not read. */
function isDefinition(path: string): boolean {
  return (
    path.startsWith("api-definitions/") &&
    path.endsWith(".ts") &&
    !path.endsWith(".hooks.ts") &&
    !path.endsWith(".test.ts") &&
    !VOCABULARY_FILE.test(path)
  );
}

function readFile(source: SourceFile, path: string, exists: Existence, diagnostics: Diagnostics): DefinitionFile {
  reportSyntaxErrors(source, path, diagnostics);
  const imports = new Map<string, Import>();
  for (const declaration of source.getImportDeclarations()) readImport(declaration, path, exists, imports, diagnostics);
  const calls: CallDeclaration[] = [];
  const constants = new Map<string, Literal>();
  reportUnexported(source, path, imports, diagnostics);
  for (const statement of source.getVariableStatements()) {
    if (!statement.isExported()) continue;
    for (const declaration of statement.getDeclarations()) {
      const call = readCall(declaration, path, imports, diagnostics);
      if (call !== undefined) calls.push(call);
      else {
        const value = readLiteral(declaration.getInitializer());
        if (value !== undefined) constants.set(declaration.getName(), value);
      }
    }
  }
  const fileOf = (declaration: ExportDeclaration) => fileNamedBy(declaration, path, exists, diagnostics);
  const exports = readExports(source, path, imports, fileOf);
  return { path, imports, ...exports, types: readTypeDeclarations(source, path, diagnostics), calls, constants };
}

/** Functions of the vocabulary that declare something. Other code imports the exported constant. */
const DECLARING = new Set(["kind", "configKind", "group", "conversion"]);

/** Reports declarations that are not exported, which have no effect. */
function reportUnexported(
  source: SourceFile,
  path: string,
  imports: ReadonlyMap<string, Import>,
  diagnostics: Diagnostics,
): void {
  for (const statement of source.getStatements()) {
    const isExported = Node.isVariableStatement(statement) && statement.isExported();
    const found = Node.isVariableStatement(statement)
      ? statement.getDeclarations().map((declaration) => declaration.getInitializer())
      : Node.isExpressionStatement(statement) || Node.isExportAssignment(statement)
        ? [statement.getExpression()]
        : [];
    for (const call of isExported ? [] : found) {
      if (!Node.isCallExpression(call)) continue;
      const word = vocabularyWord(call.getExpression().getText(), imports);
      if (word === undefined || !DECLARING.has(word)) continue;
      const what = `${word}() without a name that is exported`;
      const expected = `export const name = ${call.getExpression().getText()}…`;
      diagnostics.report("unsupported-syntax", locate(call.getExpression(), path), { what, expected });
    }
  }
}

/** Returns the name in the vocabulary to which an expression refers: `kind`, or `vocabulary.kind` after `import * as vocabulary`. */
function vocabularyWord(expression: string, imports: ReadonlyMap<string, Import>): string | undefined {
  const [space = "", member] = expression.split(".");
  const origin = imports.get(space);
  if (origin?.file !== VOCABULARY) return undefined;
  return member === undefined || origin.name !== "*" ? origin.name : member;
}

function reportSyntaxErrors(source: SourceFile, path: string, diagnostics: Diagnostics): void {
  const { compilerNode } = source as unknown as { compilerNode: { parseDiagnostics?: ts.DiagnosticWithLocation[] } };
  for (const { start, messageText } of compilerNode.parseDiagnostics ?? []) {
    const { line, column } = source.getLineAndColumnAtPos(start);
    const text = source.getFullText().split("\n")[line - 1]?.trim() ?? "";
    const problem = typeof messageText === "string" ? messageText : messageText.messageText;
    diagnostics.report("syntax-error", { file: path, line, column, text }, { problem });
  }
}

/** Returns the file to which an import or export refers. Packages without definitions provide functions (conversions), but no types of definitions. */
function fileNamedBy(
  declaration: ImportDeclaration | ExportDeclaration,
  path: string,
  exists: Existence,
  diagnostics: Diagnostics,
): string | undefined {
  const specifier = declaration.getModuleSpecifierValue() ?? "";
  const file = resolveImport(specifier, path) ?? specifier;
  if (file === VOCABULARY || !file.startsWith("api-definitions/") || exists(file)) return file;
  const named = specifier.replace(/(\.[cm]?js)?$/, ".ts");
  const isNear = exists(resolveImport(named, path) ?? named);
  diagnostics.report("unresolved-import", locate(declaration, path), { specifier }, isNear ? named : undefined);
  return undefined;
}

function readImport(
  declaration: ImportDeclaration,
  path: string,
  exists: Existence,
  imports: Map<string, Import>,
  diagnostics: Diagnostics,
): void {
  const file = fileNamedBy(declaration, path, exists, diagnostics);
  if (file === undefined) return;
  const outside = !file.startsWith("api-definitions/");
  const whole = declaration.getDefaultImport();
  if (whole !== undefined && !outside) {
    const what = "a default import of definitions";
    const expected = `import type { ${whole.getText()} } from "${declaration.getModuleSpecifierValue()}"`;
    diagnostics.report("unsupported-syntax", locate(whole, path), { what, expected });
  }
  const space = declaration.getNamespaceImport();
  if (space !== undefined) imports.set(space.getText(), { file, name: "*", at: locate(space, path) });
  for (const named of declaration.getNamedImports()) {
    const local = named.getAliasNode()?.getText() ?? named.getName();
    imports.set(local, { file, name: named.getName(), at: locate(named, path) });
  }
}

function importedFiles(source: SourceFile, path: string): string[] {
  const declarations = [...source.getImportDeclarations(), ...source.getExportDeclarations()];
  const files = declarations.map((one) => resolveImport(one.getModuleSpecifierValue() ?? "", path));
  return files.filter((file) => file?.startsWith("api-definitions/")) as string[];
}

/** Reads `name = word<T>({ … })` if `word` comes from the vocabulary. */
function readCall(
  declaration: VariableDeclaration,
  path: string,
  imports: ReadonlyMap<string, Import>,
  diagnostics: Diagnostics,
): CallDeclaration | undefined {
  const call = declaration.getInitializer();
  if (!Node.isCallExpression(call)) return undefined;
  const word = vocabularyWord(call.getExpression().getText(), imports);
  if (word === undefined) return undefined;
  return {
    word,
    name: declaration.getName(),
    types: call.getTypeArguments().map((argument) => readTypeNode(argument, path, diagnostics)),
    argument: readLiteralObject(call.getArguments()[0], call, path, diagnostics),
    at: locate(
      call.getExpression(),
      path,
      `${call.getExpression().getText()}<${call.getTypeArguments()[0]?.getText() ?? ""}>`,
    ),
  };
}
