import {
  type IndexSignatureDeclaration,
  type InterfaceDeclaration,
  type JSDoc,
  Node,
  type SourceFile,
  SyntaxKind,
  type TypeLiteralNode,
  type TypeNode,
  type UnionTypeNode,
} from "ts-morph";
import type { Diagnostics } from "../diagnostics.ts";
import { reportTags } from "./comment-tags.ts";
import { locate } from "./locate.ts";
import { isExact, propertyName, readLiteral } from "./read-literal.ts";
import type { FieldSyntax, Literal, TypeDeclaration, TypeSyntax } from "./syntax.ts";

/** Returns the interfaces and type aliases of a file. */
export function readTypeDeclarations(source: SourceFile, path: string, diagnostics: Diagnostics): TypeDeclaration[] {
  const declarations: TypeDeclaration[] = [];
  for (const statement of source.getStatements()) {
    if (Node.isInterfaceDeclaration(statement)) declarations.push(readInterface(statement, path, diagnostics));
    else if (Node.isTypeAliasDeclaration(statement)) {
      reportTags(statement.getJsDocs(), statement.getText(), path, diagnostics);
      declarations.push({
        name: statement.getName(),
        description: description(statement.getJsDocs()),
        parameters: statement.getTypeParameters().map((parameter) => parameter.getName()),
        extends: [],
        fields: [],
        is: readTypeNode(statement.getTypeNodeOrThrow(), path, diagnostics),
        at: locate(statement.getNameNode(), path),
      });
    } else if (Node.isEnumDeclaration(statement) || Node.isClassDeclaration(statement)) {
      const what = Node.isEnumDeclaration(statement) ? "an enum" : "a class";
      const expected = Node.isEnumDeclaration(statement) ? 'type Name = "A" | "B"' : "an interface";
      diagnostics.report("unsupported-syntax", locate(statement, path, statement.getName()), { what, expected });
    }
  }
  return declarations;
}

function readInterface(node: InterfaceDeclaration, path: string, diagnostics: Diagnostics): TypeDeclaration {
  reportTags(node.getJsDocs(), "", path, diagnostics);
  return {
    name: node.getName(),
    description: description(node.getJsDocs()),
    parameters: node.getTypeParameters().map((parameter) => parameter.getName()),
    extends: node.getExtends().map((base) => readTypeNode(base, path, diagnostics)),
    fields: readMembers(node.getMembers(), path, diagnostics),
    at: locate(node.getNameNode(), path),
  };
}

function readMembers(members: readonly Node[], path: string, diagnostics: Diagnostics): FieldSyntax[] {
  const fields: FieldSyntax[] = [];
  for (const member of members) {
    // A property named by a symbol matters only to the compiler: it does not exist in JSON.
    if (Node.isPropertySignature(member) && isNamedBySymbol(member.getNameNode())) continue;
    const type = Node.isPropertySignature(member) ? member.getTypeNode() : undefined;
    const isComputed = Node.isPropertySignature(member) && Node.isComputedPropertyName(member.getNameNode());
    if (!Node.isPropertySignature(member) || type === undefined || isComputed) {
      const parameters = { what: "this member", expected: "name: Type, or name?: Type" };
      diagnostics.report("unsupported-syntax", locate(member, path), parameters);
      continue;
    }
    reportTags(member.getJsDocs(), type.getText(), path, diagnostics);
    fields.push({
      name: propertyName(member.getNameNode()),
      optional: member.hasQuestionToken(),
      type: readTypeNode(type, path, diagnostics),
      description: description(member.getJsDocs()),
      at: locate(member.getNameNode(), path),
    });
  }
  return fields;
}

function isNamedBySymbol(name: Node): boolean {
  return Node.isComputedPropertyName(name) && Node.isIdentifier(name.getExpression());
}

function description(docs: readonly JSDoc[]): string {
  return docs
    .map((doc) => paragraphs(doc.getDescription()))
    .join("\n")
    .trim();
}

/** Joins the lines of a paragraph. Paragraphs remain separated by an empty line, and list items (`- …`) remain separate lines. */
function paragraphs(text: string): string {
  return text
    .trim()
    .split(/\n[ \t]*\n/)
    .map((paragraph) => paragraph.replace(/\s*\n\s*(?!\s|- )/g, " ").replace(/[ \t]*\n[ \t]*- /g, "\n- "))
    .join("\n\n");
}

const KEYWORDS = new Set([
  SyntaxKind.StringKeyword,
  SyntaxKind.NumberKeyword,
  SyntaxKind.BooleanKeyword,
  SyntaxKind.UnknownKeyword,
  SyntaxKind.NeverKeyword,
  SyntaxKind.UndefinedKeyword,
  SyntaxKind.BigIntKeyword,
  SyntaxKind.SymbolKeyword,
  SyntaxKind.AnyKeyword,
  SyntaxKind.ObjectKeyword,
]);

/** Converts a type node into data. Reports syntax that definitions cannot contain and reads it as `unknown`. */
export function readTypeNode(node: TypeNode, path: string, diagnostics: Diagnostics): TypeSyntax {
  const at = locate(node, path);
  const read = (child: TypeNode): TypeSyntax => readTypeNode(child, path, diagnostics);

  if (Node.isParenthesizedTypeNode(node)) return read(node.getTypeNode());
  if (KEYWORDS.has(node.getKind())) return { form: "word", name: node.getText(), arguments: [], at };
  if (Node.isTypeReference(node)) {
    return { form: "word", name: node.getTypeName().getText(), arguments: node.getTypeArguments().map(read), at };
  }
  if (Node.isExpressionWithTypeArguments(node)) {
    return { form: "word", name: node.getExpression().getText(), arguments: node.getTypeArguments().map(read), at };
  }
  if (Node.isArrayTypeNode(node)) return { form: "list", of: read(node.getElementTypeNode()), at };
  if (Node.isIntersectionTypeNode(node)) return { form: "all", members: node.getTypeNodes().map(read), at };
  if (Node.isUnionTypeNode(node)) return { form: "either", members: readAlternatives(node, read), at };
  if (Node.isTypeOperatorTypeNode(node) && node.getOperator() === SyntaxKind.ReadonlyKeyword)
    return read(node.getTypeNode());
  const literal = literalOf(node);
  if (literal !== undefined) {
    const description = commentIn(node.getSourceFile().getFullText().slice(node.getPos(), node.getStart()));
    return { form: "literal", value: literal, ...(description !== undefined && { description }), at };
  }
  if (Node.isTypeLiteral(node)) {
    const [index] = node.getIndexSignatures();
    if (index !== undefined) return { form: "map", of: readEntries(node, index, path, diagnostics), at };
    return { form: "struct", fields: readMembers(node.getMembers(), path, diagnostics), at };
  }
  const number = node.getFirstDescendantByKind(SyntaxKind.NumericLiteral);
  const parameters =
    number !== undefined && !isExact(number)
      ? {
          what: `${number.getText()}, which JavaScript reads as ${number.getLiteralValue()},`,
          expected: "a smaller number",
        }
      : { what: "this type", expected: insteadOf(node) };
  diagnostics.report("unsupported-syntax", at, parameters);
  return { form: "word", name: "unknown", arguments: [], at };
}

/** Returns what to use instead of a type that the compiler would have to compute. */
function insteadOf(node: TypeNode): string {
  if (Node.isTemplateLiteralTypeNode(node)) return 'string & Pattern<"^…$">';
  if (Node.isMappedTypeNode(node) || Node.isConditionalTypeNode(node)) return "an interface with these fields";
  if (Node.isTupleTypeNode(node)) return "Type[], with & MinItems<…> & MaxItems<…>, or an interface";
  if (Node.isImportTypeNode(node)) return "import type { Name } at the top of the file, and Name here";
  const isComputed = Node.isTypeQuery(node) || Node.isIndexedAccessTypeNode(node) || Node.isTypeOperatorTypeNode(node);
  if (isComputed)
    return 'the type itself, written out: type Name = "A" | "B" for values of a constant or names of fields';
  return "a scalar, a list, a map, a union of strings or a named type";
}

/** Returns the type of a map's entries: `{ [key: string]: Type }` without other members. */
function readEntries(
  node: TypeLiteralNode,
  index: IndexSignatureDeclaration,
  path: string,
  diagnostics: Diagnostics,
): TypeSyntax {
  const expected = "{ [key: string]: Type }";
  const others = node.getMembers().filter((member) => member !== index);
  for (const other of others) {
    const what = "a map with a member of its own";
    diagnostics.report("unsupported-syntax", locate(other, path), { what, expected: `${expected}, or an interface` });
  }
  const key = index.getKeyTypeNode();
  if (key.getKind() !== SyntaxKind.StringKeyword)
    diagnostics.report("unsupported-syntax", locate(key, path), {
      what: "a map with other keys than strings",
      expected,
    });
  return readTypeNode(index.getReturnTypeNodeOrThrow(), path, diagnostics);
}

/** Returns the members of a union, each with the comment before it: `/** Soft paper. *\/ | "Soft"`. */
function readAlternatives(union: UnionTypeNode, read: (member: TypeNode) => TypeSyntax): TypeSyntax[] {
  const text = union.getSourceFile().getFullText();
  let end = union.getPos();
  return union.getTypeNodes().map((node) => {
    const description = commentIn(text.slice(end, node.getStart()));
    end = node.getEnd();
    const member = read(node);
    return description === undefined || member.form !== "literal" ? member : { ...member, description };
  });
}

/** Returns the text of the comment in a piece of source; undefined if there is none. */
function commentIn(text: string): string | undefined {
  const [, comment] = /\/\*\*((?:[^*]|\*(?!\/))*)\*\//.exec(text) ?? [];
  return comment === undefined ? undefined : paragraphs(comment.replace(/^[ \t]*\*[ \t]?/gm, ""));
}

/** Returns the value of a literal type, or of a tuple or type literal of them, as `Default<…>` accepts. */
function literalOf(node: TypeNode): Literal | undefined {
  if (Node.isLiteralTypeNode(node)) return readLiteral(node.getLiteral());
  if (Node.isTemplateLiteralTypeNode(node)) return undefined;
  if (Node.isTupleTypeNode(node)) {
    const items = node.getElements().map((element) => literalOf(element) ?? objectOf(element));
    return items.includes(undefined) ? undefined : (items as Literal[]);
  }
  return undefined;
}

/** Returns the value of a type literal within a tuple if all of its members are literals: `[{ required: ["a"] }]`. */
function objectOf(node: TypeNode): Literal | undefined {
  if (!Node.isTypeLiteral(node)) return undefined;
  const entries = node.getMembers().map((member): [string, Literal | undefined] => {
    const type = Node.isPropertySignature(member) ? member.getTypeNode() : undefined;
    if (!Node.isPropertySignature(member) || type === undefined) return ["", undefined];
    return [propertyName(member.getNameNode()), literalOf(type) ?? objectOf(type)];
  });
  return entries.some(([, value]) => value === undefined) ? undefined : (Object.fromEntries(entries) as Literal);
}
