import { ts } from "ts-morph";

/** Returns the statements of a file that are executed, without types, imports of types, and the comments and white space between statements. */
export function readCode(text: string): string {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext);
  return source.statements
    .map((statement) => {
      if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) return "";
      return ts.isImportDeclaration(statement) ? importedValues(statement, source) : statement.getText(source);
    })
    .filter((code) => code !== "")
    .join("\n");
}

function importedValues({ importClause, moduleSpecifier }: ts.ImportDeclaration, source: ts.SourceFile): string {
  const from = moduleSpecifier.getText(source);
  if (importClause === undefined) return from;
  if (importClause.isTypeOnly) return "";
  const { name, namedBindings } = importClause;
  const isNamed = namedBindings !== undefined && ts.isNamedImports(namedBindings);
  const values = isNamed
    ? namedBindings.elements.filter(({ isTypeOnly }) => !isTypeOnly).map((element) => element.getText(source))
    : [namedBindings?.getText(source) ?? ""];
  return [name?.text ?? "", ...values, from].join(" ");
}
