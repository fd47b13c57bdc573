import { ts } from "ts-morph";
import type { Location } from "./syntax.ts";

const NAME = "featureEnabled";

/** The gate that a use of `featureEnabled` names, or the location of a use whose gate cannot be determined. */
export type GateUse = { readonly gate: string } | { readonly unknownAt: Omit<Location, "file"> };

/**
 * Returns how a node uses `featureEnabled`; undefined for other nodes, and where the function is only declared or passed on under this name
 * (`{ featureEnabled }`, a parameter). Passing it on under another name is an unknown use, since its calls could not be found.
 */
export function gateUse(node: ts.Node, source: ts.SourceFile): GateUse | undefined {
  if (!isName(node) || declaresName(node)) return undefined;
  const { parent } = node;
  const called = isMemberOf(parent, node) ? parent : node;
  const call = called.parent;
  if (keepsName(call)) return undefined;
  if (!ts.isCallExpression(call) || call.expression !== called) return unknown(called, source);
  const [gate, ...others] = call.arguments;
  const isLiteral = gate !== undefined && ts.isStringLiteralLike(gate) && others.length === 0;
  return isLiteral ? { gate: gate.text } : unknown(call, source);
}

/** Whether the node is the identifier, or the string in `context["featureEnabled"]`. */
function isName(node: ts.Node): node is ts.Identifier | ts.StringLiteralLike {
  if (ts.isIdentifier(node)) return node.text === NAME;
  return ts.isStringLiteralLike(node) && node.text === NAME && ts.isElementAccessExpression(node.parent);
}

function isMemberOf(
  parent: ts.Node,
  node: ts.Node,
): parent is ts.PropertyAccessExpression | ts.ElementAccessExpression {
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  return ts.isElementAccessExpression(parent) && parent.argumentExpression === node;
}

/** Whether this is the declared name of a parameter, variable or member, and not a use of the function. */
function declaresName(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBindingElement(parent)) return parent.name === node;
  if (ts.isPropertyAssignment(parent)) return parent.name === node;
  if (ts.isParameter(parent) || ts.isVariableDeclaration(parent)) return parent.name === node;
  if (ts.isMethodDeclaration(parent) || ts.isFunctionDeclaration(parent)) return parent.name === node;
  return ts.isShorthandPropertyAssignment(parent);
}

/** Whether the parent is `featureEnabled: context.featureEnabled`, or a variable of this name. */
function keepsName(parent: ts.Node): boolean {
  if (!ts.isPropertyAssignment(parent) && !ts.isVariableDeclaration(parent)) return false;
  return ts.isIdentifier(parent.name) && parent.name.text === NAME;
}

function unknown(node: ts.Node, source: ts.SourceFile): GateUse {
  const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return { unknownAt: { line: line + 1, column: character + 1, text: node.getText(source) } };
}
