import { ts } from "ts-morph";
import { type GateUse, gateUse } from "./gate-use.ts";
import { resolveImport } from "./resolve-import.ts";
import type { Location } from "./syntax.ts";

/** Code of a declaration: its tokens without comments, layout and types, the names that it uses, and its uses of `featureEnabled`. */
interface Code {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  readonly gateUses: readonly GateUse[];
}

export interface DefaultCode {
  readonly text: string;
  /** The feature gates that the code depends on. */
  readonly gates: readonly string[];
  /** Uses of `featureEnabled` whose gate cannot be determined. */
  readonly unknownGates: readonly Location[];
}

interface ImportedName {
  readonly from: string;
  /** Exported name; `*` for the whole module. */
  readonly name: string;
}

/** Declarations of a file on which the code of other files can depend. */
export interface CodeFile {
  readonly declared: ReadonlyMap<string, () => Code>;
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** Local names by exported name. */
  readonly exported: ReadonlyMap<string, string>;
  readonly reexported: ReadonlyMap<string, ImportedName>;
  /** Modules that are re-exported as a whole. */
  readonly stars: readonly string[];
  /** Code of the defaulting hooks, or of all hooks if these cannot be separated. */
  readonly hook: Code | undefined;
}

/**
 * Returns the code that computes the defaults of a kind: the hooks `default` and `defaults.stored` of a file and the declarations that they
 * use, also in imported definition files. Undefined if there is no such hook. `read` returns undefined for files that are not definitions.
 */
export function readDefaultCode(path: string, read: (path: string) => CodeFile | undefined): DefaultCode | undefined {
  const start = read(path);
  const isElsewhere = start?.declared.has("hooks") === false;
  if (start === undefined || (start.hook === undefined && !isElsewhere)) return undefined;
  const places: Pick<Place, "path" | "code">[] = start.hook === undefined ? [] : [{ path, code: start.hook }];
  const found = new Set<string>();
  const names = start.hook === undefined ? ["hooks"] : [...start.hook.names];
  const pending = names.map((name) => ({ path, name }));
  for (const { path, name } of pending) {
    const place = find(path, name, read);
    if (place === undefined || found.has(`${place.path} ${place.name}`)) continue;
    found.add(`${place.path} ${place.name}`);
    places.push(place);
    pending.push(...[...place.code.names].map((used) => ({ path: place.path, name: used })));
  }
  const uses = places.flatMap(({ path, code }) => code.gateUses.map((use) => ({ path, use })));
  return {
    text: places.map(({ code }) => code.text).join("\n"),
    gates: uses.flatMap(({ use }) => ("gate" in use ? [use.gate] : [])),
    unknownGates: uses.flatMap(({ path, use }) => ("gate" in use ? [] : [{ file: path, ...use.unknownAt }])),
  };
}

interface Place {
  readonly path: string;
  readonly name: string;
  readonly code: Code;
}

/** Returns the declaration of a name that a file uses. */
function find(path: string, name: string, read: (path: string) => CodeFile | undefined): Place | undefined {
  const seen = new Set<string>();
  const search = (path: string, name: string): Place | undefined => {
    const file = seen.has(`${path} ${name}`) ? undefined : read(path);
    seen.add(`${path} ${name}`);
    if (file === undefined) return undefined;
    const code = name === "*" ? allOf(file) : file.declared.get(name)?.();
    if (code !== undefined) return { path, name, code };
    const other = file.imported.get(name) ?? file.reexported.get(name);
    if (other !== undefined) return follow(path, other);
    for (const from of file.stars) {
      const found = follow(path, { from, name });
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const follow = (importer: string, { from, name }: ImportedName): Place | undefined => {
    const target = resolveImport(from, importer);
    if (target === undefined) return undefined;
    return search(target, read(target)?.exported.get(name) ?? name);
  };
  return search(path, name);
}

function allOf({ declared }: CodeFile): Code {
  return joined([...new Set(declared.values())].map((code) => code()));
}

function joined(all: readonly Code[]): Code {
  return {
    text: all.map(({ text }) => text).join("\n"),
    names: new Set(all.flatMap(({ names }) => [...names])),
    gateUses: all.flatMap(({ gateUses }) => gateUses),
  };
}

export function readCodeFile(text: string): CodeFile {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext, true);
  const declared = new Map<string, () => Code>();
  const imported = new Map<string, ImportedName>();
  const exported = new Map<string, string>();
  const reexported = new Map<string, ImportedName>();
  const stars: string[] = [];
  let hook: Code | undefined;
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) readImport(statement, imported);
    else if (ts.isExportDeclaration(statement)) readExport(statement, { exported, reexported, stars });
    else if (ts.isExportAssignment(statement)) declared.set("default", lazyCode(statement.expression, source));
    else if (ts.isVariableStatement(statement)) {
      for (const variable of statement.declarationList.declarations) {
        const code = lazyCode(variable, source);
        for (const name of namesOf(variable.name)) declared.set(name, code);
        if (variable.name.getText(source) === "hooks") hook = hookOf(variable, source);
      }
    } else if (isNamedCode(statement)) {
      const code = lazyCode(statement, source);
      if (statement.name !== undefined) declared.set(statement.name.text, code);
      if (statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) declared.set("default", code);
    }
  }
  return { declared, imported, exported, reexported, stars, hook };
}

type NamedCode = ts.FunctionDeclaration | ts.ClassDeclaration | ts.EnumDeclaration;

function isNamedCode(statement: ts.Statement): statement is NamedCode {
  return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) || ts.isEnumDeclaration(statement);
}

function readImport(
  { importClause, moduleSpecifier }: ts.ImportDeclaration,
  imported: Map<string, ImportedName>,
): void {
  if (importClause === undefined || importClause.isTypeOnly || !ts.isStringLiteral(moduleSpecifier)) return;
  const from = moduleSpecifier.text;
  const { name, namedBindings } = importClause;
  if (name !== undefined) imported.set(name.text, { from, name: "default" });
  if (namedBindings === undefined) return;
  if (ts.isNamespaceImport(namedBindings)) {
    imported.set(namedBindings.name.text, { from, name: "*" });
    return;
  }
  for (const { name, propertyName, isTypeOnly } of namedBindings.elements)
    if (!isTypeOnly) imported.set(name.text, { from, name: (propertyName ?? name).text });
}

function readExport(
  { exportClause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration,
  into: {
    readonly exported: Map<string, string>;
    readonly reexported: Map<string, ImportedName>;
    readonly stars: string[];
  },
): void {
  if (isTypeOnly) return;
  const from = moduleSpecifier !== undefined && ts.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
  if (exportClause === undefined) {
    if (from !== undefined) into.stars.push(from);
  } else if (ts.isNamedExports(exportClause)) {
    for (const { name, propertyName } of exportClause.elements) {
      const local = (propertyName ?? name).text;
      if (from === undefined) into.exported.set(name.text, local);
      else into.reexported.set(name.text, { from, name: local });
    }
  } else if (from !== undefined) into.reexported.set(exportClause.name.text, { from, name: "*" });
}

/** Returns the hook `default`, or `stored` of `defaults`. */
function defaultingParts(property: ts.ObjectLiteralElementLike, source: ts.SourceFile): ts.ObjectLiteralElementLike[] {
  const name = property.name?.getText(source);
  if (name !== "defaults") return name === "default" ? [property] : [];
  if (!ts.isPropertyAssignment(property) || !ts.isObjectLiteralExpression(property.initializer)) return [property];
  return property.initializer.properties.filter((part) => part.name?.getText(source) === "stored");
}

/** Returns the code of the defaulting hooks in `hooks = kindHooks<Book>({ default: … })`, or in the object alone. */
function hookOf(variable: ts.VariableDeclaration, source: ts.SourceFile): Code | undefined {
  const { initializer } = variable;
  const hooks = initializer !== undefined && ts.isCallExpression(initializer) ? initializer.arguments[0] : initializer;
  if (hooks === undefined || !ts.isObjectLiteralExpression(hooks)) return codeOf(variable, source);
  const own = hooks.properties.flatMap((property) => defaultingParts(property, source));
  if (own.length > 0) return joined(own.map((property) => codeOf(property, source)));
  return hooks.properties.some(ts.isSpreadAssignment) ? codeOf(variable, source) : undefined;
}

function namesOf(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text];
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesOf(element.name) : []));
}

const BEFORE_TYPES = new Set([ts.SyntaxKind.ColonToken, ts.SyntaxKind.AsKeyword, ts.SyntaxKind.SatisfiesKeyword]);
const CLOSING = /^[)\]}]$/;

/** Reads the code on demand: most declarations are not used by defaults. */
function lazyCode(node: ts.Node, source: ts.SourceFile): () => Code {
  let code: Code | undefined;
  return () => (code ??= codeOf(node, source));
}

function codeOf(node: ts.Node, source: ts.SourceFile): Code {
  const words: string[] = [];
  const names = new Set<string>();
  const gateUses: GateUse[] = [];
  const visit = (node: ts.Node): void => {
    if (isType(node) || ts.isJSDoc(node)) return;
    const use = gateUse(node, source);
    if (use !== undefined) gateUses.push(use);
    if (ts.isIdentifier(node) && !isMember(node)) names.add(node.text);
    const children = node.getChildren(source);
    const word = children.length === 0 ? node.getText(source) : "";
    // Formatters add a comma after the last entry of a list on several lines.
    if (CLOSING.test(word) && words.at(-1) === ",") words.pop();
    if (word !== "") words.push(word);
    for (const [index, child] of children.entries()) {
      const next = children[index + 1];
      if (next === undefined || !isType(next) || !BEFORE_TYPES.has(child.kind)) visit(child);
    }
  };
  visit(node);
  return { text: words.join(" "), names, gateUses };
}

function isType(node: ts.Node): boolean {
  return (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) || ts.isTypeParameterDeclaration(node);
}

/** Whether an identifier names a member of an object and not a declaration. */
function isMember(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node)
  );
}
