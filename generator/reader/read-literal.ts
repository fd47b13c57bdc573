import { Node, type NumericLiteral } from "ts-morph";
import type { Diagnostics } from "../diagnostics.ts";
import { locate } from "./locate.ts";
import type { Literal, LiteralSyntax, Location } from "./syntax.ts";

/** Returns the value of a literal expression; undefined for an expression that must be evaluated. */
export function readLiteral(expression: Node | undefined): Literal | undefined {
  const unwrapped = unwrap(expression);
  if (unwrapped === undefined) return undefined;
  if (Node.isStringLiteral(unwrapped) || Node.isNoSubstitutionTemplateLiteral(unwrapped))
    return unwrapped.getLiteralValue();
  if (Node.isNumericLiteral(unwrapped)) return isExact(unwrapped) ? unwrapped.getLiteralValue() : undefined;
  if (Node.isPrefixUnaryExpression(unwrapped)) {
    const operand = readLiteral(unwrapped.getOperand());
    return typeof operand === "number" && unwrapped.getText().startsWith("-") ? -operand : undefined;
  }
  if (Node.isTrueLiteral(unwrapped)) return true;
  if (Node.isFalseLiteral(unwrapped)) return false;
  if (Node.isNullLiteral(unwrapped)) return null;
  return undefined;
}

/** Whether a number literal is represented exactly: integers beyond 2^53 may not be. */
export function isExact(node: NumericLiteral): boolean {
  const [text, value] = [node.getText(), node.getLiteralValue()];
  return !/^\d+$/.test(text) || String(value) === text || BigInt(value) === BigInt(text);
}

/** Reads the argument of `kind()` and similar functions, with the location of every part. Functions in it are replaced by a placeholder. */
export function readLiteralObject(
  argument: Node | undefined,
  call: Node,
  path: string,
  diagnostics: Diagnostics,
): LiteralSyntax {
  const places = new Map<string, Location>();
  const fail = (node: Node): null => {
    diagnostics.report("not-a-literal", locate(node, path));
    return null;
  };

  function read(node: Node, at: string): Literal {
    places.set(at, locate(node, path));
    const value = readLiteral(node);
    if (value !== undefined) return value;
    const unwrapped = unwrap(node) ?? node;
    if (Node.isArrayLiteralExpression(unwrapped)) {
      return unwrapped.getElements().map((element, index) => read(element, join(at, String(index))));
    }
    if (Node.isObjectLiteralExpression(unwrapped)) return readObject(unwrapped, at);
    if (Node.isArrowFunction(unwrapped) || Node.isFunctionExpression(unwrapped)) return FUNCTION;
    return fail(unwrapped);
  }

  function readObject(node: Node & { getProperties(): Node[] }, at: string): { [key: string]: Literal } {
    const result: { [key: string]: Literal } = {};
    for (const property of node.getProperties()) {
      if (Node.isPropertyAssignment(property)) {
        const name = propertyName(property.getNameNode());
        result[name] = read(property.getInitializerOrThrow(), join(at, name));
      } else if (Node.isMethodDeclaration(property)) {
        result[property.getName()] = FUNCTION;
      } else if (Node.isShorthandPropertyAssignment(property)) {
        result[property.getName()] = FUNCTION;
      } else fail(property);
    }
    return result;
  }

  const unwrapped = unwrap(argument);
  if (unwrapped !== undefined && Node.isObjectLiteralExpression(unwrapped)) {
    places.set("", locate(unwrapped, path));
    return { value: readObject(unwrapped, ""), places };
  }
  fail(unwrapped ?? call);
  return { value: {}, places };
}

/** Placeholder for a function in a declaration: only its presence matters here. */
export const FUNCTION = "ƒ";

export function propertyName(node: Node): string {
  return Node.isStringLiteral(node) || Node.isNumericLiteral(node) ? String(node.getLiteralValue()) : node.getText();
}

function unwrap(node: Node | undefined): Node | undefined {
  let current = node;
  while (
    Node.isAsExpression(current) ||
    Node.isSatisfiesExpression(current) ||
    Node.isParenthesizedExpression(current)
  ) {
    current = current.getExpression();
  }
  return current;
}

function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
