import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

/** A regular expression in the sources. */
export interface PatternLiteral {
  /** `file:line` */
  readonly place: string;
  readonly source: string;
  readonly flags: string;
}

export interface FoundPatterns {
  readonly patterns: readonly PatternLiteral[];
  /** Calls of `RegExp` whose pattern is not constant. */
  readonly computed: readonly string[];
}

/** Returns every regular expression below the folders: literals, and calls of `RegExp` with a pattern built from constants. */
export function findPatterns(root: string, folders: readonly string[]): FoundPatterns {
  const patterns: PatternLiteral[] = [];
  const computed: string[] = [];
  for (const file of folders.flatMap((folder) => sourcesBelow(root, folder))) {
    const text = readFileSync(join(root, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const add = (node: ts.Node, pattern: Pick<PatternLiteral, "source" | "flags"> | undefined): void => {
      const place = `${file}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
      if (pattern === undefined) computed.push(`${place} ${node.getText(source)}`);
      else patterns.push({ place, ...pattern });
    };
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) add(node, splitLiteral(node.text));
      else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && isNamed(node.expression, "RegExp")) {
        const [pattern, flags] = (node.arguments ?? []).map((argument) => textOf(root, source, argument));
        add(node, pattern === undefined ? undefined : { source: pattern, flags: flags ?? "" });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
  }
  return { patterns, computed };
}

function sourcesBelow(root: string, folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".ts"))
    .sort()
    .map((file) => join(folder, file));
}

function splitLiteral(text: string): Pick<PatternLiteral, "source" | "flags"> {
  const end = text.lastIndexOf("/");
  return { source: text.slice(1, end), flags: text.slice(end + 1) };
}

function isNamed(node: ts.Expression, name: string): boolean {
  return ts.isIdentifier(node) && node.text === name;
}

/** Returns the constant string value of an expression; undefined if it depends on run time values. */
function textOf(root: string, file: ts.SourceFile, node: ts.Expression): string | undefined {
  const value = (inner: ts.Expression) => textOf(root, file, inner);
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) return constant(root, file, node.text, value);
  if (ts.isTaggedTemplateExpression(node) && node.tag.getText(file) === "String.raw") {
    return templateValue(node.template, value, (part) => part.rawText ?? "");
  }
  if (ts.isTemplateExpression(node)) return templateValue(node, value, (part) => part.text);
  if (ts.isPropertyAccessExpression(node)) {
    const owner = definitionOf(root, file, node.expression.getText(file));
    if (owner === undefined) return undefined;
    if (node.name.text === "source" && ts.isRegularExpressionLiteral(owner.node))
      return splitLiteral(owner.node.text).source;
    return memberOf(root, owner, node.name.text);
  }
  if (
    ts.isCallExpression(node) &&
    ts.isPropertyAccessExpression(node.expression) &&
    node.expression.name.text === "join"
  ) {
    const list = node.expression.expression;
    const parts = ts.isArrayLiteralExpression(list) ? list.elements.map(value) : [undefined];
    const [between] = node.arguments.map(value);
    return parts.includes(undefined) || between === undefined ? undefined : parts.join(between);
  }
  return undefined;
}

function templateValue(
  node: ts.TemplateLiteral,
  value: (node: ts.Expression) => string | undefined,
  written: (part: ts.TemplateLiteralLikeNode) => string,
): string | undefined {
  if (ts.isNoSubstitutionTemplateLiteral(node)) return written(node);
  let text = written(node.head);
  for (const span of node.templateSpans) {
    const inserted = value(span.expression);
    if (inserted === undefined) return undefined;
    text += inserted + written(span.literal);
  }
  return text;
}

interface Definition {
  readonly file: ts.SourceFile;
  readonly node: ts.Expression;
}

function constant(
  root: string,
  file: ts.SourceFile,
  name: string,
  value: (node: ts.Expression) => string | undefined,
): string | undefined {
  const found = definitionOf(root, file, name);
  if (found === undefined) return undefined;
  return found.file === file ? value(found.node) : textOf(root, found.file, found.node);
}

function memberOf(root: string, { file, node }: Definition, name: string): string | undefined {
  const literal = ts.isAsExpression(node) || ts.isSatisfiesExpression(node) ? node.expression : node;
  if (!ts.isObjectLiteralExpression(literal)) return undefined;
  const property = literal.properties.find((member) => member.name?.getText(file) === name);
  return property !== undefined && ts.isPropertyAssignment(property)
    ? textOf(root, file, property.initializer)
    : undefined;
}

/** Returns a constant of a file, or of a file from which it is imported by name. */
function definitionOf(root: string, file: ts.SourceFile, name: string): Definition | undefined {
  for (const statement of file.statements) {
    if (ts.isVariableStatement(statement) && statement.declarationList.flags & ts.NodeFlags.Const) {
      const found = statement.declarationList.declarations.find((declared) => declared.name.getText(file) === name);
      if (found?.initializer !== undefined) return { file, node: found.initializer };
    }
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const imported = bindings.elements.find((element) => element.name.text === name);
    const path = join(dirname(file.fileName), statement.moduleSpecifier.text);
    if (imported === undefined || !existsSync(join(root, path))) continue;
    const other = ts.createSourceFile(path, readFileSync(join(root, path), "utf8"), ts.ScriptTarget.Latest);
    return definitionOf(root, other, imported.propertyName?.text ?? name);
  }
  return undefined;
}
